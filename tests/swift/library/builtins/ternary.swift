// ternary() selects one of two values.
// expect: trace: 1,2,3,no
trace(ternary(true, 1, 2), ternary(false, 1, 2), ternary_integer(2 > 1, 3, 4),
      ternary_string(1 > 2, "yes", "no"));
