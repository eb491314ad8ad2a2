// A type that nothing defines.
// exit: 2
// error: HERE:1: type foo is not defined
foo v; // here
