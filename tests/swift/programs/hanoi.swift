// Moves in their order, through voids.
// order: exact
// ranks: 2 3
// expect: 1: a to c
// expect: 2: a to b
// expect: 1: c to b
// expect: 3: a to c
// expect: 1: b to a
// expect: 2: b to c
// expect: 1: a to c
import io;
wait (move(3, "a", "b", "c")) { }

(void o) move(int n, string from, string over, string to)
{
  if (n == 0) { o = propagate(); }
  else {
    move(n - 1, from, to, over) => printf("%i: %s to %s", n, from, to) => o = move(n - 1, over, from, to);
  }
}
