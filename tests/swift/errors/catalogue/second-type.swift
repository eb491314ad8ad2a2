// A type that is defined twice.
// exit: 2
// error: HERE:6
type P { int a; }
type P { int b; } // here
