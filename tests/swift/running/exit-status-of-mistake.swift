// A script that does not compile ends with 2, and nothing of it runs.
// exit: 2
// error: HERE
trace("never");
int x = "a"; // here
trace(x);
