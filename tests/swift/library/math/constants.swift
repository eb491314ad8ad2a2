// PI and E.
// expect: 3.14159265 2.71828183
import io;
import math;
printf("%.8f %.8f", PI, E);
