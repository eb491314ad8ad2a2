// sum() of ints and floats, and 0 of nothing.
// expect: trace: 6,4.0,0,0.0,6,4.0
import stats;
int none[] = [];
float nothing[] = [];
trace(sum([1, 2, 3]), sum([1.5, 2.5]), sum(none), sum(nothing), sum_integer([1, 2, 3]), sum_float([1.5, 2.5]));
