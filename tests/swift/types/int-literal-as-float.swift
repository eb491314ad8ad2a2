// An int literal is a float where one is wanted, and so are expressions of such literals.
// expect: trace: 3.0,3.0,1.0,-4.0
float x = 3;
float y = 1 + 1 * 2;
trace(x, y, f(1), -(2 + 2) * 1.0);
(float o) f(float i) { o = i; }
