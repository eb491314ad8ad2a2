// Also if there are more of them.
// exit: 1
// error: HERE waits for
string a, b, c;
a = b;
b = c;
c = a;
wait (b) { trace("never"); } // here
