// And for the members of members.
// ranks: 2 4
// expect: trace: 6
import sys;
type s { int n[][]; }
s a[string];
a["k"] = make();
wait deep (a) { trace(a["k"].n[1][2] + size(a["k"].n[1])); }
(s o) make()
{
  foreach i in [0:2] { foreach j in [0:2] { sleep(0.001) => o.n[i][j] = i + j; } }
}
