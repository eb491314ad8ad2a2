// Each word becomes an argument: numbers and booleans in their text form, without a shell.
// expect: <5>
// expect: <-0.5>
// expect: <1>
// expect: <two words>
// expect: <$HOME *>
// expect: <>
show(5, -0.5, true, "two words");
app show(int n, float f, boolean b, string s) { "printf" "<%s>\\n" n f b s "$HOME *" "" }
