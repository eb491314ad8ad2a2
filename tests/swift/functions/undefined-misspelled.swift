// A similar name is suggested.
// exit: 2
// error: HERE:1: function trac is not defined: did you mean 'trace'?
trac("x"); // here
