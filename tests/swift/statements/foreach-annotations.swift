// Annotations of loops change nothing.
// ranks: 2 4
// expect: trace: 45,45,45,45,45,45
import stats;
int a[], b[], c[], d[], e[], f[];
@sync foreach i in [0:9] { a[i] = i; }
@async foreach i in [0:9] { b[i] = i; }
@splitdegree=4 foreach i in [0:9] { c[i] = i; }
@leafdegree=3 foreach i in [0:9] { d[i] = i; }
@nosplit foreach i in [0:9] { e[i] = i; }
@unroll=3 foreach i in [0:9] { f[i] = i; }
trace(sum(a), sum(b), sum(c), sum(d), sum(e), sum(f));
