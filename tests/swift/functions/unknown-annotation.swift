// Unknown annotations of functions are a mistake.
// exit: 2
// error: HERE:2: annotation @foo is not known for
@foo (int o) f(int i) { o = 2 * i; } // here
trace(f(2));
