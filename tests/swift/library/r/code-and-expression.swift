// R() runs code and gives the value of an expression.
// needs: R
// expect: trace: 6,
import R;
trace(R("a <- sum(c(1, 2, 3))", "toString(a)"), R("b <- 1"));
