// Arrays become as many arguments as they have members, in the order of their keys.
// expect: a
// expect: b
// expect: c
// expect: 1
// expect: 2
// expect: 3
// order: exact
// ranks: 2
string a[];
a[7] = "c";
a[-1] = "a";
a[3] = "b";
show(a, [[1, 2], [], [3]], []);
app show(string s[], int n[][], int none[]) { "printf" "%s\\n" s none n }
