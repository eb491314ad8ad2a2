// An import may follow the use of its functions.
// expect: x
printf("x");
import io;
