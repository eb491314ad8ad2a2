// Files as a means of exchange.
// ranks: 2 4
// expect: trace: 0,value-0
// expect: trace: 1,value-1
import files;
foreach i in [0:1] {
  file f<"key" + i> = write("value-" + i);
  string s = read(f);
  trace(i, s);
}
