// Variables that are copies of each other are never set: a deadlock, not a hang.
// exit: 1
// error: HERE waits for a
// expect: trace: other work
int a, b;
a = b;
b = a;
trace(a); // here
trace("other work");
