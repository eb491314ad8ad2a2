// A variable may have the name of a library function.
// expect: trace: 3
import stats;
main {
  int sum = 3;
  trace(sum);
}
