// What a program writes without a newline at its end is not lost.
// ranks: 2
// expect: no newline
app f() { "printf" "no newline" }
f();
