// A range of one number gives that number.
// expect: trace: 5
import random;
trace(randint(5, 6));
