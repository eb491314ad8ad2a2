// A multi-line string must start with a newline.
// exit: 2
// opts: -p
// error: HERE
string a = """x"""; // here
trace(a);
