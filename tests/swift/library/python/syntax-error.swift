// Code that is no Python ends the run.
// needs: python
// exit: 1
// error: SyntaxError
import python;
trace(python("if if", "''"));
