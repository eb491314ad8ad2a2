// So does asin() of what is no sine.
// exit: 1
// error: asin(2.0)
import math;
float x = 2.0;
trace(asin(x));
