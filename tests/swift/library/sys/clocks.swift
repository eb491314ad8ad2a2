// clock() and clock_seconds() give the time since 1970, and do not go backwards.
// expect: trace: 1,1,1
import sys;
float a = clock();
wait (a) {
  sleep(0.01) => float b = clock();
  int s = clock_seconds();
  trace(b >= a, s > 1700000000, int2float(s) > a - 2.0);
}
