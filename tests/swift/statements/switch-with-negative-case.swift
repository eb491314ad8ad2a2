// Labels are decimal numbers without a sign.
// exit: 2
// error: HERE:8
int n = 1;
switch (n) {
  case -1: trace(1); // here
}
