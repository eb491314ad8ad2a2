// A label occurs once.
// exit: 2
// error: HERE:3: duplicate case label 1
int n = 1;
switch (n) {
  case 1: trace(1);
  case 1: trace(2); // here
}
