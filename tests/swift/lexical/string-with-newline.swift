// A newline inside quotes is part of the string.
// opts: -p
// expect: trace: two
// expect: lines
trace("two
lines");
