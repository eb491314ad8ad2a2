// string2float() takes decimal and scientific notation, and integers.
// expect: trace: 2.125,1000.0,-3.0,0.5,Inf
trace(string2float("2.125"), parseFloat(" 1e3 "), tofloat("-3"), string2float(".5"), string2float("inf"));
