// A library function cannot be defined again with the same inputs.
// exit: 2
// error: HERE
(int o) strlen(string s) { o = length(s); } // here
import string;
trace(strlen("a"));
