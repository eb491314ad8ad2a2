// A local variable may hide a function or a type.
// expect: trace: 3
f() { trace("never"); }
type t int;
main { int f = 1; int t = 2; trace(f + t); }
