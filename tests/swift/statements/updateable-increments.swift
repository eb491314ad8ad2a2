// Updates commute; a wait sees the final value.
// ranks: 2 4
// expect: trace: 55.0
updateable_float x = 0;
foreach i in [1:10] { x <incr> := int2float(i); }
wait (x) { trace(x); }
