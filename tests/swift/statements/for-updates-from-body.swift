// Updates may use variables of the body.
// expect: trace: 1
// expect: trace: 4
// expect: trace: 11
// expect: trace: sum,11
int sum;
for (int i = 1, sum = 0; i < 4; i = i + 1, sum = next) {
  int next = sum + i * i - i + 1;
  trace(next);
}
trace("sum", sum);
