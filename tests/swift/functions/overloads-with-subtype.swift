// A subtype and its base type do not tell overloads apart.
// exit: 2
// error: HERE
type t int;
f(int a) { trace(a); }
f(t a) { trace(a); } // here
