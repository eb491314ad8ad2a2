// The members of a bag have no keys.
// exit: 2
// error: HERE:12
bag<int> b;
b += 1;
foreach v, k in b { trace(v, k); } // here
