// Any expression with an array will do.
// expect: trace: p
// expect: trace: q
// expect: trace: 6
import string;
foreach v in split("p q") { trace(v); }
type s { int a[]; }
s x = s([6]);
foreach v in x.a { trace(v); }
