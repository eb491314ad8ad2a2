// A loop over something else.
// exit: 2
// error: HERE:14: foreach needs an array, a bag or a range
foreach i in 5 { } // here
