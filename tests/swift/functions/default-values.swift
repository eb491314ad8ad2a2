// Parameters with defaults may be left out.
// expect: trace: 1,2.5,x,1,-3
// expect: trace: 7,2.5,x,1,-3
// expect: trace: 7,8.5,y,0,-4
f();
f(7);
f(7, 8.5, "y", false, -4);
f(int a=1, float b=2.5, string c="x", boolean d=true, int e=-3) { trace(a, b, c, d, e); }
