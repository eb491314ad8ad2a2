// Containers have a text, too, whose form is not fixed.
// expect: trace: 1,1
int a[string] = { "k": 17 };
bag<int> b;
b += 23;
trace(length(repr(a)) > 2, length(repr(b)) > 1);
