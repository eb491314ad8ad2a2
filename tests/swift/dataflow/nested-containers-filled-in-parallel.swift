// Arrays of arrays of bags, filled by loops.
// ranks: 2 4
// expect: trace: 3,9,27
import stats;
bag<int> a[int][string];
foreach i in [0:2] {
  foreach j in [0:2] {
    foreach k in [0:2] { a[i]["k" + j] += k; }
  }
}
int rows[], members[];
foreach m, i in a {
  int here[];
  foreach j in [0:2] { here[j] = bag_size(m["k" + j]); }
  rows[i] = size(m);
  members[i] = sum(here);
}
trace(size(a), sum(rows), sum(members));
