// true and false are shown as 1 and 0.
// expect: trace: 1,0
boolean yes = true;
trace(yes, false);
