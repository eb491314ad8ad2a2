// Decimal, hexadecimal and octal numbers; a leading zero does not mean octal.
// expect: trace: 17,26,255,8,0
// expect: trace: 9223372036854775807,9223372036854775807
trace(017, 0x1A, 0xff, 0o10, 0);
trace(9223372036854775807, 0x7fffffffffffffff);
