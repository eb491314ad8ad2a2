// Strings that mean something elsewhere are passed as they are.
// expect: [exit 1] {a} $x `date` \ "q" 'p'
// expect: 1
app f(string s, int a[][]) { "printf" "%s\\n" s a }
f("[exit 1] {a} $x `date` \\ \"q\" 'p'", [[1]]);
