// main may have empty lists of parameters.
// expect: trace: main
() main() { trace("main"); }
