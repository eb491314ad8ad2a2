// Outputs may be arrays, dictionaries, structs, bags, files and voids.
// expect: trace: 1,2,3,1,5
import files;
main {
  int a[];
  int d[string];
  p s;
  bag<int> b;
  file f;
  void v;
  (a, d, s, b, f, v) = all();
  wait (v) { trace(a[0], d["k"], s.n, bag_size(b), read(f)); }
}
type p { int n; }
(int a[], int d[string], p s, bag<int> b, file f, void v) all()
{
  a[0] = 1;
  d["k"] = 2;
  s.n = 3;
  b += 4;
  f = write("5");
  v = propagate();
}
