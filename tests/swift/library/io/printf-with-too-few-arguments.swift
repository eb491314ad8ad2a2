// And a format with more specifiers than arguments.
// exit: 1
// error: HERE
// error: not enough arguments for all format specifiers
import io;
printf("%d %d", 1); // here
