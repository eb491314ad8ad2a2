// The value must be a string.
// needs: python
// exit: 1
// error: HERE
// error: string
import python;
trace(python("", "3")); // here
