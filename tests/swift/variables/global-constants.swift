// Global constants are literals, visible everywhere.
// expect: trace: 3,-2.5,s,1
global const int A = 3;
global const float B = -2.5;
global const string C = "s";
global const boolean D = true;
f() { trace(A, B, C, D); }
f();
