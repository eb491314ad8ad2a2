// A string that is a number is accepted for %d and %f; %s shows anything.
// expect: 12 2.5 1.5 3 1
import io;
printf("%d %.1f %s %s %s", "12", "2.5", 1.5, 3, true);
