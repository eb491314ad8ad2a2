// TURBINE_SRAND makes the numbers of a run repeatable.
// ranks: 2
// env: TURBINE_SRAND=5
// expect: trace: 1
// before: echo 'import random; trace(random(), randint(0, 1000000));' > r.swift
// before: "$WICK" swift -n 2 r.swift > a; "$WICK" swift -n 2 r.swift > b
// after: cmp a b
trace(1);
