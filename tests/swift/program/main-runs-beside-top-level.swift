// A function main is called once, and statements of the top level run as well.
// expect: trace: top
// expect: trace: main
trace("top");
main { trace("main"); }
