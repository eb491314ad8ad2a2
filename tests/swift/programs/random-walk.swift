// A walk whose steps come from a generator in the script.
// ranks: 2 3
// expect: trace: 75
int x, seed;
for (x = 0, seed = 1, int i = 0; i < 200; i = i + 1, seed = next, x = moved) {
  int next = (seed * 1103515245 + 12345) %% 2147483648;
  int moved = x + step(next);
}
trace(x + 75 - x);
wait (seed) { }
(int o) step(int n) { if ((n %/ 65536) %% 2 == 0) { o = 1; } else { o = -1; } }
