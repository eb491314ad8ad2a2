// The default comes last.
// exit: 2
// error: HERE
int n = 1;
switch (n) {
  default: trace(1);
  case 1: trace(2); // here
}
