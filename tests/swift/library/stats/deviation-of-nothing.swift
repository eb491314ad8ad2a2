// Of nothing, it fails.
// exit: 1
// error: std
import stats;
int none[] = [];
trace(std(none));
