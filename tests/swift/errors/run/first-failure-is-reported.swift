// There is one report, also if several things fail.
// exit: 1
// ranks: 3
// after: "$WICK" swift -n 3 first-failure-is-reported.swift 2>&1 | awk '/Assertion failed/ { n++ } END { exit n != 1 }'
// error: Assertion failed!: m
import assert;
foreach i in [1:20] { assert(false, "m"); }
