// A field of something else.
// exit: 2
// error: HERE:9: only a struct has fields such as y, but this has type int
int x = 1;
trace(x.y); // here
