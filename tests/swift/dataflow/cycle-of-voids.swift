// Voids.
// exit: 1
// error: HERE waits for
void a, b;
a = b;
b = a;
a => trace("never"); // here
