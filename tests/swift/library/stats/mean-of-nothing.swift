// The mean of nothing fails.
// exit: 1
// error: HERE
// error: the array is empty
import stats;
float none[] = [];
trace(avg(none)); // here
