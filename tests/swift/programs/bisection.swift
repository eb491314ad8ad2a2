// A root by bisection, with two carried values.
// ranks: 2 3
// expect: 1.414214
import io;
float low, high;
for (low = 1, high = 2; high - low > 0.0000001; low = l, high = h) {
  float m = (low + high) / 2.0;
  float l, h;
  if (m * m > 2.0) { l = low; h = m; } else { l = m; h = high; }
}
printf("%f", low);
