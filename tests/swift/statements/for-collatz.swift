// A loop whose number of iterations is not known beforehand.
// expect: trace: 27,111
int n, steps;
for (n = 27, steps = 0; n != 1; n = next, steps = steps + 1) {
  int next;
  if (n %% 2 == 0) { next = n %/ 2; } else { next = 3 * n + 1; }
}
wait (n) { trace(27, steps); }
