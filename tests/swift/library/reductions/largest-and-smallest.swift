// array_max_float() and array_min_float(), which are infinite for nothing.
// expect: trace: 3.5,-1.0,-Inf,Inf
import reductions;
float none[] = [];
trace(array_max_float([1.0, 3.5, -1.0]), array_min_float([1.0, 3.5, -1.0]),
      array_max_float(none), array_min_float(none));
