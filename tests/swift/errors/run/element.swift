// An element that is never set.
// exit: 1
// error: HERE
// error: cols[9]
import string;
string cols[] = split("a,b,c", ",");
trace(cols[9]); // here
