// A chain after += waits for what is appended.
// order: exact
// ranks: 2
// expect: trace: slow
// expect: trace: after
bag<int> b;
b += slow() => trace("after");
(int o) slow() { trace("slow") => o = 7; }
