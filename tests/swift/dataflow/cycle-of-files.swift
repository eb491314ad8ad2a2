// Files.
// exit: 1
// error: HERE waits for
file a, b;
a = b;
b = a;
trace(filename(a)); // here
