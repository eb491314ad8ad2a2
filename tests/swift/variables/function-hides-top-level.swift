// A parameter or variable of a function hides one of the top level, with a warning.
// warning: HERE:7: variable x hides the one of the top level
// warning: THERE:7: variable y hides the one of the top level
// expect: trace: 5,6
// expect: trace: 1,2
int x = 1;
int y = 2;
f(int x) // here
{
  int y = x + 1; // there
  trace(x, y);
}
f(5);
trace(x, y);
