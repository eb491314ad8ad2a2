// What the system does not accept fails with a message.
// exit: 1
// error: HERE: the command failed (cannot start true
string s;
for (s = "0123456789", int i = 0; i < 16; i = i + 1, s = s + s) { }
f(s);
app f(string t) { "true" t } // here
