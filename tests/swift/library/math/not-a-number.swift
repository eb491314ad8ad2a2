// is_nan() recognises what is no number.
// expect: trace: 1,0,1,0
import math;
trace(is_nan(NaN), is_nan(1.0), isNaN(NaN), isNaN(inf));
