// A type is defined once.
// exit: 2
// error: HERE:6
type p { int a; }
type p { int b; } // here
