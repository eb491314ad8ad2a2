// The same seed gives the same order.
// before: echo 'foreach i in [1:50] { trace(i); }' > s.swift
// before: for n in 1 2; do "$WICK" swift --simulate 3 -n 5 s.swift > out$n; done
// after: cmp out1 out2
// after: [ "$(wc -l < out1)" = 50 ]
