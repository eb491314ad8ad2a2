// A function that is not defined is a mistake.
// exit: 2
// error: HERE:1: function foo is not defined
foo(1); // here
