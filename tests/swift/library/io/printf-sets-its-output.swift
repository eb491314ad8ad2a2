// The output of printf() is set after printing.
// order: exact
// ranks: 2
// expect: 1
// expect: 2
import io;
printf("%i", 1) => printf("%i", 2);
