// xor() of constants and variables.
// expect: trace: 0,1,1,0
boolean t = true;
trace(xor(true, true), xor(t, false), xor(false, t), xor(false, false));
