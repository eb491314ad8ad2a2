// avg() of ints and floats is a float.
// expect: trace: 2.5,2.0
import stats;
trace(avg([1, 2, 3, 4]), avg([1.5, 2.5]));
