// Nor insert into one of its arrays.
// exit: 2
// error: HERE:8
int x[];
f() { x[0] = 1; } // here
f();
x[1] = 2;
trace(size(x));
