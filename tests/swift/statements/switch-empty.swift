// A switch and its cases may be empty.
// expect: trace: 1
int n = 5;
switch (n) { }
switch (n) { case 5: case 6: trace("never"); default: }
trace(1);
