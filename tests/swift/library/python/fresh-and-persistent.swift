// python() forgets between calls, python_persist() does not.
// needs: python
// ranks: 2
// expect: trace: 2,no
import python;
a = python_persist("x = 1", "''") => b = python_persist("x += 1", "str(x)") =>
c = python("y = 1", "''") => d = python("", "'yes' if 'y' in globals() else 'no'");
trace(b, d);
wait (a, c) { }
