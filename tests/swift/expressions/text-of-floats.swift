// Floats have the fewest digits that read back as the same float.
// expect: trace: 1.0,0.1,0.0001,123456789.12345679,10000000000000000.0,100000.0
// expect: trace: 1e-5,1.5e-7,1e+17,2.5e+20,5e-324,1e+300
// expect: trace: 0.0,-0.0,Inf,-Inf,NaN
// expect: trace: 0.30000000000000004,1.7976931348623157e+308,99999999999999980.0,0.3333333333333333
trace(1.0, 0.1, 0.0001, 123456789.12345679, 1e16, 1e5);
trace(1e-5, 1.5e-7, 1e17, 2.5e20, 5e-324, 1e300);
float zero = 0;
trace(zero, -zero, 1.0 / zero, -1.0 / zero, NaN);
trace(0.1 + 0.2, 1.7976931348623157e308, 99999999999999984.0, 1.0 / 3.0);
