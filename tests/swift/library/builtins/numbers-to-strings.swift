// Conversions of numbers to strings, with all of their names.
// expect: trace: 5,-5,5
// expect: trace: 1.5,2.0,0.1
trace(int2string(5), fromint(-5), toString(5));
trace(float2string(1.50), fromfloat(2.0), toString(0.1));
