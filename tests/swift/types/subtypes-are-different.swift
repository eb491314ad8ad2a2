// Two subtypes of the same type are not interchangeable.
// exit: 2
// error: HERE:13: cannot assign to s
type metres float;
type seconds float;
metres m = metres(1.5);
seconds s = m; // here
trace(s);
