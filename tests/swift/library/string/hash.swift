// hash() is the same for the same string, and fits into 31 bits.
// expect: trace: 1,1,1
import string;
int h = hash("abc");
trace(h == hash("a" + "bc"), h >= 0, h < 2147483648);
