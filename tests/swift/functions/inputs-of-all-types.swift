// So may inputs.
// expect: trace: 1,2,3,4,5,x,1.5,1
import files;
import stats;
type p { int n; }
bag<int> b;
b += 4;
file f = write("5");
void v = propagate();
show([[1]], { "k": 2 }, p(3), b, f, v, "x", 1.5, true);
show(int a[][], int d[string], p s, bag<int> m, file g, void w, string t, float u, boolean y)
{
  int first[];
  foreach e in m { first[0] = e; }
  wait (w) { trace(a[0][0], d["k"], s.n, sum(first), read(g), t, u, y); }
}
