// An argument that contains the character 0 cannot be passed on, and is not cut off.
// exit: 1
// error: HERE
app f(string s) { "echo" s } // here
f("a\0b");
