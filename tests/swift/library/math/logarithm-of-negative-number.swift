// So does log().
// exit: 1
// error: -3.0
import math;
float x = -3.0;
trace(log(x));
