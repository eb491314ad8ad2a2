// Two definitions with the same inputs cannot be told apart.
// exit: 2
// error: HERE
f(int a) { trace(a); }
f(int b) { trace(b); } // here
f(1);
