// Outputs that are voids carry the order through functions.
// order: exact
// ranks: 2 4
// expect: 1
// expect: 2
// expect: 3
// expect: 4
import io;
(void o) twice(int n) { printf("%i", n) => printf("%i", n + 1) => o = propagate(); }
twice(1) => twice(3);
