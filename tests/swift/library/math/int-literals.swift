// Int literals are floats for these functions.
// expect: trace: 2.0,4.0
import math;
trace(sqrt(4), floor(4));
