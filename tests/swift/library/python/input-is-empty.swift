// Python has no input, either.
// needs: python
// exit: 1
// error: HERE
// error: EOFError
import python;
trace(python("input()", "'x'")); // here
