// A search in generations: each depends on the best of the one before.
// ranks: 2 4
// expect: 3.5000
import io;
type point { float x; float score; }
point best;
for (best = evaluate(0.0), int g = 0; g < 12; best = next, g = g + 1) {
  point tries[];
  float w = 4.0 / (2.0 ** int2float(g));
  tries[0] = best;
  tries[1] = evaluate(best.x - w);
  tries[2] = evaluate(best.x + w);
  point next = better(better(tries[0], tries[1]), tries[2]);
}
printf("%.4f", best.x);
(point o) evaluate(float x) { o = point(x, (x - 3.5) * (x - 3.5)); }
(point o) better(point a, point b) { if (a.score <= b.score) { o = a; } else { o = b; } }
