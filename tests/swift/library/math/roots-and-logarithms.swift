// Roots, powers and logarithms.
// expect: 2.718282 1.500000 3.000000
// expect: 1.000000 1.000000 5.000000 3.000000 4.000000
import io;
import math;
printf("%f %f %f", exp(1.0), sqrt(2.25), cbrt(27.0));
printf("%f %f %f %f %f", log(E), ln(E), log2(32.0), log10(1000.0), log(81.0, 3.0));
