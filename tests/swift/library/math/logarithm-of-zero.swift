// The logarithm of 0 is -Inf.
// expect: trace: -Inf
import math;
float zero = 0.0;
trace(log(zero));
