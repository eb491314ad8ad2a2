// A word beside a list is two words: there are no indices in commands without parentheses.
// expect: a 0
// expect: a
app f(string s) { "echo" s[0] }
app g(string s[]) { "echo" (s[0]) }
f("a");
g(["a"]);
