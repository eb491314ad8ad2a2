// python() runs code and gives the value of an expression, a string.
// needs: python
// expect: trace: 1099511627776,,x y
// expect: trace: 3
import python;
trace(python("n = 2**40", "repr(n)"), python("unused = 1"), python("", "'x ' + \"y\""));
trace(python("def f(x):\n    return x + 1\nimport sys", "str(f(2))"));
