// An output array may be that of another function, or of a library function.
// ranks: 2 4
// expect: trace: 3,5
// expect: trace: 2
import string;
int a[] = f();
trace(size(a), a[2]);
trace(size(words()));
(int o[]) f() { o = g(5); }
(int o[]) g(int n) { foreach i in [0:2] { o[i] = n; } }
(string o[]) words() { o = split("a b"); }
