// A name without declaration gets the type of its first value.
// expect: trace: 1,2.5,s,1,2,3,1.5
x = 1;
y = 2.5;
s = "s";
b = true;
a = [1, 2];
A[0][1] = 3;
D["x"] = 1.5;
trace(x, y, s, b, size(a), A[0][1], D["x"]);
int xi = x;
float d = D["x"];
boolean bb = b;
wait (xi, d, bb) { }
