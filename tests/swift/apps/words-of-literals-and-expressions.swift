// Words may be literals, or expressions in parentheses.
// expect: [1]
// expect: [2.5]
// expect: [1]
// expect: [8]
// expect: [a-4]
// expect: [4x]
show(4);
app show(int n) { "printf" "[%s]\\n" 1 2.5 true (n * 2) ("a-" + n) ("%ix" % n) }
