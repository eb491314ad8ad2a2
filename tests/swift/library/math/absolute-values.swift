// abs() of ints and floats, and its aliases.
// expect: trace: 9,9.5,3,0.25
import math;
trace(abs(-9), abs(-9.5), abs_integer(-3), abs_float(-0.25));
