// INT_MAX() is the largest int.
// expect: trace: 9223372036854775807
import sys;
trace(INT_MAX());
