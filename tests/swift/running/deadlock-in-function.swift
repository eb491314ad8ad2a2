// And a variable of a function.
// exit: 1
// warning: HERE
// error: waits for x (HERE)
import sys;
f();
f()
{
  int x; // here
  if (argc() > 0) { x = 1; }
  trace(x);
}
