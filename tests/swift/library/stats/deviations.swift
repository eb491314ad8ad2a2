// std() is the deviation of a population.
// expect: 1.1180 2.0000 0.0000
import io;
import stats;
printf("%.4f %.4f %.4f", std([1, 2, 3, 4]), std([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), std([3.0]));
