// Two branches of an if may assign the same variable, but not one of them a variable already set.
// exit: 2
// error: HERE:14: x cannot be assigned again
int x = 1;
int y;
if (x > 0) { y = 1; } else { y = 2; }
if (y > 0) { x = 3; } // here
trace(x);
