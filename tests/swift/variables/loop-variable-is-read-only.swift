// So are the variables of a foreach loop.
// exit: 2
// error: HERE:25: assigning variable v is not permitted here: it is a loop variable
foreach v, k in [1:3] { v = k; } // here
