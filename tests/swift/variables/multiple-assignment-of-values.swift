// A list of values, or a tuple, is assigned to as many variables.
// expect: trace: 1,two,3,4.5
int a;
string b;
a, b = 1, "two";
c, d = (3, 4.5);
trace(a, b, c, d);
