// Without a default, an unknown value does nothing.
// expect: trace: after
int n = 5;
switch (n) { case 1: trace("never"); case 2: trace("never"); }
trace("after");
