// Its state persists.
// needs: R
// ranks: 2
// expect: trace: 5
import R;
a = R("x <- 2", "''") => b = R("x <- x + 3", "toString(x)");
trace(b);
wait (a) { }
