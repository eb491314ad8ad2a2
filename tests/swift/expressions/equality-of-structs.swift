// Neither can structs or files.
// exit: 2
// error: HERE
// error: THERE
import files;
type p { int n; }
p a = p(1);
trace(a == a); // here
file f = write("");
trace(f != f); // there
