// floor(), ceil(), and round(), which rounds halves away from zero.
// expect: trace: 7.0,8.0,-8.0,-7.0
// expect: trace: 3.0,-3.0,2.0,4.0,0.0
import math;
float x = 7.25;
trace(floor(x), ceil(x), floor(-x), ceil(-x));
trace(round(2.5), round(-2.5), round(2.4), round(3.5), round(0.4));
