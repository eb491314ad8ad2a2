// The next iteration starts when the condition is known.
// order: exact
// ranks: 2 3
// expect: 0
// expect: 1
// expect: 2
import io;
int a[];
iterate i {
  printf("%i", i) => a[i] = i * i;
} until (a[i] >= 4);
