// A sweep of programs over two parameters, and the best of the results.
// ranks: 2 4
// expect: best 2 3: 0
import files;
import io;
import string;
app (file o) loss(int x, int y) { "awk" ("BEGIN { print (%i - 2) ^ 2 + (%i - 3) ^ 2 }" % (x, y)) @stdout=o }
int losses[];
foreach x in [0:3] {
  foreach y in [0:3] {
    file o<"out/%i-%i.txt" % (x, y)> = loss(x, y);
    losses[4 * x + y] = toint(trim(read(o)));
  }
}
int best;
for (int i = 1, best = 0; i < 16; i = i + 1, best = b) {
  int b;
  if (losses[i] < losses[best]) { b = i; } else { b = best; }
}
printf("best %i %i: %i", best %/ 4, best %% 4, losses[best]);
