// sqrt() of a negative number fails.
// exit: 1
// error: HERE
// error: sqrt(-1.0)
import math;
float x = -1.0;
trace(sqrt(x)); // here
