// Also a string that becomes too large.
// opts: --memory 50M
// exit: 1
// error: memory
string s;
for (s = "0123456789", int i = 0; i < 25; i = i + 1, s = s + s) { }
trace(length(s));
