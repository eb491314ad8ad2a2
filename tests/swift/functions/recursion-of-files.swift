// Recursion over files that programs make.
// ranks: 2 4
// expect: trace: aaaa
import files;
app (file o) twice(file i) { "cat" i i @stdout=o }
(file o) grow(file i, int n) { if (n == 0) { o = i; } else { o = grow(twice(i), n - 1); } }
trace(read(grow(write("a"), 2)));
