// A format that does not fit its values.
// exit: 1
// error: HERE
// error: expected integer but got "3.7"
import io;
printf("%i", 3.7); // here
