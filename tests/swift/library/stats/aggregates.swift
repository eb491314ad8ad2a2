// statagg() gives the number, the mean and the sum of squared distances from it.
// expect: 8 5.0000 32.0000
// expect: 4 2.5000 5.0000
import io;
import stats;
n, m, s = statagg([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
printf("%i %.4f %.4f", n, m, s);
k, l, t = statagg([1, 2, 3, 4]);
printf("%i %.4f %.4f", k, l, t);
