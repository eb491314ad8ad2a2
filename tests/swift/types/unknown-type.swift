// A type that is not known is a mistake.
// exit: 2
// error: HERE:1: type foo is not defined
foo v; // here
