// printf() formats and adds a newline, in one write.
// expect: n=7 f=2.50 s=x b=1
// expect: 
// expect: 100%
// expect: a 007|7  |+7|ff|FF|17|101|0xff
// expect: 3.000000 1.500000e+00 1.5
import io;
printf("n=%i f=%.2f s=%s b=%i", 7, 2.5, "x", true);
printf("");
printf("100%%");
printf("a %03d|%-3d|%+d|%x|%X|%o|%b|%#x", 7, 7, 7, 255, 255, 15, 5, 255);
printf("%f %e %g", 3, 1.5, 1.5);
