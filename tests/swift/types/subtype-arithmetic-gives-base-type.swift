// So arithmetic on subtypes must be converted back.
// exit: 2
// error: HERE:14: cannot assign to n
type metres float;
metres m = metres(1.5);
metres n = m + m; // here
trace(n);
