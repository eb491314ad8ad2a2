// A value of the base type is not accepted for a subtype without a conversion.
// exit: 2
// error: HERE:12: cannot assign to m: it has type metres, but the value has type float
type metres float;
float f = 1.5;
metres m = f; // here
trace(m);
