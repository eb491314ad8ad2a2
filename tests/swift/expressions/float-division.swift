// / divides floats; int literals count as floats.
// expect: trace: 1.5,2.5,0.5
float a = 5;
trace(3 / 2, a / 2, 1.0 / 2.0);
