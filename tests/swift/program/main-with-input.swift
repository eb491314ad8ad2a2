// main takes nothing.
// exit: 2
// error: HERE
main(int x) { trace(x); } // here
