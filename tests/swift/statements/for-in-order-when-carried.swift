// Iterations that depend on carried values run in order.
// order: exact
// ranks: 2 3
// expect: 0
// expect: 1
// expect: 2
// expect: 3
import io;
for (int i = 0, void v = make_void(); i < 4; i = i + 1, v = w) {
  void w;
  wait (v) { w = printf("%i", i); }
}
