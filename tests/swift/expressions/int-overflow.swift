// Sums and products that do not fit are cut to 64 bits.
// expect: trace: -9223372036854775808,-2
int x = 9223372036854775807;
trace(x + 1, x * 2);
