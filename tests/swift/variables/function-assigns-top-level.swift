// Functions cannot assign a variable of the top level.
// exit: 2
// error: HERE:7: assigning variable x is not permitted here: it belongs to the top level
int x;
f() { x = 1; } // here
f();
x = 2;
trace(x);
