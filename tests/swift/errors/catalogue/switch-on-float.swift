// A switch on something else than an int.
// exit: 2
// error: HERE:9: switch needs an int, but this has type float
switch (1.5) { } // here
