// stats() gives both.
// expect: 5.0000 2.0000
// expect: 2.5000 1.1180
import io;
import stats;
float m, s;
(m, s) = stats([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
printf("%.4f %.4f", m, s);
n, t = stats([1, 2, 3, 4]);
printf("%.4f %.4f", n, t);
