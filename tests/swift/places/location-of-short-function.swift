// Neither have functions that run where they are called.
// exit: 2
// error: HERE
import location;
import string;
int x = @location=locationFromRank(0) strlen("a"); // here
trace(x);
