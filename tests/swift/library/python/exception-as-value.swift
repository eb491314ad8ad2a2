// Unless it shall not: then it is printed, and there is a mark instead of the value.
// needs: python
// contains: trace: __EXCEPTION__
// stderr: any
import python;
trace(python("x = 1 // 0", "str(x)", exceptions_are_errors=false));
