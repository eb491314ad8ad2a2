// + concatenates strings with strings and numbers, from left to right.
// expect: trace: ab,a1,1a,a1.0,2.5b
// expect: trace: 3a,a12
// expect: trace: v=3.0
trace("a" + "b", "a" + 1, 1 + "a", "a" + 1.0, 2.5 + "b");
trace(1 + 2 + "a", "a" + 1 + 2);
trace("v=" + 3.0);
