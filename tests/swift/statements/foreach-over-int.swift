// Nothing else can be iterated.
// exit: 2
// error: HERE:14: foreach needs an array, a bag or a range
foreach i in 5 { trace(i); } // here
