// A struct is no word.
// exit: 2
// error: HERE
type p { int n; }
app show(p x) { "echo" x } // here
show(p(1));
