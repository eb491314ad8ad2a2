// \x takes one or two digits.
// expect: trace: J,A4
trace("\x4a", "\x414");
