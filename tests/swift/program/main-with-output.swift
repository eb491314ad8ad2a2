// main returns nothing.
// exit: 2
// error: HERE
(int x) main() { x = 1; } // here
