// App functions have defaults and keywords like others.
// expect: a 1 x
// expect: a 2 y
app f(string s, int n=1, string t="x") { "echo" s n t }
f("a");
f("a", t="y", n=2);
