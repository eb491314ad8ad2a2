// Numbers with a point or an exponent are floats.
// expect: trace: 1.5,0.25,1000.0,0.001,250.0,3e+20
// expect: trace: Inf,-Inf,NaN
trace(1.5, 00.25, 1e3, 1E-3, 2.5e2, 3e20);
trace(inf, -inf, NaN);
