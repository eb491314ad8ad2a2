// Floats have no %/ and %%.
// exit: 2
// error: HERE:11: operator %/ is not defined for float and float
// error: THERE:11: operator %% is not defined for float and float
trace(5.0 %/ 2.0); // here
trace(5.0 %% 2.0); // there
