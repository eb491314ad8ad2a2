// One name, several signatures; an int literal prefers int.
// expect: trace: int,8
// expect: trace: float,8.5
// expect: trace: string,eight
// expect: trace: boolean,1
// expect: trace: int array,2
// expect: trace: two,88
// expect: trace: float,8.0
f(int v) { trace("int", v); }
f(float v) { trace("float", v); }
f(string v) { trace("string", v); }
f(boolean v) { trace("boolean", v); }
f(int v[]) { trace("int array", size(v)); }
f(int a, int b) { trace("two", a + b); }
f(8);
f(8.5);
f("eight");
f(8 > 7);
f([8, 88]);
f(8, 80);
float x = 8;
f(x);
