// So are type variables.
// exit: 2
// error: HERE
<T> (int o) f(T x) { o = 1; wait (x) { } } // here
trace(f(1));
