// An empty range fails.
// exit: 1
// error: HERE: randint: illegal range [3, 3)
import random;
trace(randint(3, 3)); // here
