// A reader that goes away ends the run without a hang.
// ranks: 2
// before: printf 'foreach i in [1:10000] { trace(i); }' > many.swift
// before: "$WICK" swift -n 2 many.swift 2>/dev/null | head -n 1 > first; true
// after: [ "$(wc -l < first)" = 1 ]
// expect: trace: 1
trace(1);
