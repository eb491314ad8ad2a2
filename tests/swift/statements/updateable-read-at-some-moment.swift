// Reading takes the value of some moment.
// expect: trace: 1
updateable_float x = 1.5;
float f = x;
trace(f == 1.5);
