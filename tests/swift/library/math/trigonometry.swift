// Angles are in radians.
// expect: 0.5000 0.5000 1.0000
// expect: 1.5708 1.5708 0.7854 -1.5708
import io;
import math;
printf("%.4f %.4f %.4f", sin(PI / 6.0), cos(PI / 3.0), tan(PI / 4.0));
printf("%.4f %.4f %.4f %.4f", asin(1.0), acos(0.0), atan(1.0), atan2(-1.0, 0.0));
