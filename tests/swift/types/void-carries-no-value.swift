// A void has no value, but can be waited for, passed and returned.
// expect: trace: done
// expect: trace: 0
void v = make_void();
void w = later(v);
wait (w) { trace("done"); }
trace(zero(w));
(void o) later(void i) { wait (i) { o = propagate(); } }
