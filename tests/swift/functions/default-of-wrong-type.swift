// They have the type of the parameter.
// exit: 2
// error: HERE
f(int a="x") { trace(a); } // here
f();
