// A failure in one of many iterations is reported with its values.
// exit: 1
// ranks: 2 4
// error: HERE: integer division by zero: 500 %/ 0
// stderr: any
import stats;
int a[];
foreach i in [0:1000] { a[i] = i %/ (i - 500); } // here
trace(sum(a));
