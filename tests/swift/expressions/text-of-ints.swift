// Ints are decimal.
// expect: trace: 0,-1,9223372036854775807
// expect: 0-19223372036854775807
import io;
trace(0, -1, 9223372036854775807);
printf("%s%s%s", 0, -1, 9223372036854775807);
