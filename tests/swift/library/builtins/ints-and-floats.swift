// Conversions between ints and floats; floats are cut toward zero.
// expect: trace: 3.0,4.0,-5.0
// expect: trace: 2,-2,0,3
trace(int2float(3), itof(4), toFloat(-5));
float x = -2.9;
trace(float2int(2.9), float2int(x), toInt(-0.5), ftoi(3.99));
