// A function that nothing defines.
// exit: 2
// error: HERE:1: function foo is not defined
foo(1); // here
