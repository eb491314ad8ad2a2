// Arguments may be long.
// expect: 40960
string s;
for (s = "0123456789", int i = 0; i < 12; i = i + 1, s = s + s) { }
f(s);
app f(string t) { "sh" "-c" "echo ${#0}" t }
