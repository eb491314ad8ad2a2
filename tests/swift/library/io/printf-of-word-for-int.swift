// So does a string that is no number.
// exit: 1
// error: HERE
// error: expected integer but got "x"
import io;
printf("%i", "x"); // here
