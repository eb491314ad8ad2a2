// Unary - negates numbers, ! booleans.
// expect: trace: -3,3,-1.5,0,1
int a = 3;
boolean b = true;
trace(-a, -(-a), -1.5, !b, !(!b));
