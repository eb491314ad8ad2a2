// Functions of the library take any number, also none.
// expect: trace: 
// expect: trace: 1,a,0.5,0
// expect: trace: abc1
// expect: trace: 
trace();
trace(1, "a", 0.5, false);
trace(strcat("a", "b", "c", 1));
trace(strcat());
