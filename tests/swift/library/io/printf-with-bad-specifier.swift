// And one that is not known.
// exit: 1
// error: HERE
// error: bad format specifier
import io;
printf("%y", 1); // here
