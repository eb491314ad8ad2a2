// Two calls are two numbers.
// expect: trace: 1
import random;
trace(random() != random());
