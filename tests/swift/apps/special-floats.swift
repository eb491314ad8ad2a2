// Floats have their text form.
// expect: NaN Inf -Inf 1e+300 -0.0
float zero = 0;
f(NaN, inf, -inf, 1e300, -zero);
app f(float a, float b, float c, float d, float e) { "echo" a b c d e }
