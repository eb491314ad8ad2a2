// == and != compare ints, floats, strings and booleans.
// expect: trace: 1,0,1,0,1,0,1,1
int a = 1;
float x = 0.5;
trace(a == 1, a != 1, x == 0.5, x != 0.5, "a" == "a", "a" == "b", true != false, "" == "");
