// A row is complete, with all of its members, when it is used.
// ranks: 2 4
// expect: trace: row,0,5
// expect: trace: row,1,5
// expect: trace: row,2,5
// expect: trace: 5
// expect: trace: member,4
import sys;
int a[][];
foreach i in [0:2] {
  foreach j in [0:4] {
    if (j == 4) { sleep(0.01) => a[i][j] = j; } else { a[i][j] = j; }
  }
}
foreach row, i in a { trace("row", i, size(row)); }
trace(size(a[0]));
foreach v, j in a[1] { if (j == 4) { trace("member", v); } }
