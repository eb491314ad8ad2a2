// A float that is not whole fails for %d, with the value.
// exit: 1
// error: HERE: cannot format "%d"
// error: expected integer but got "3.7"
import io;
float x = 3.7;
printf("%d", x); // here
