// Files in arrays keep their paths, and are read when they are there.
// ranks: 2 4
// expect: trace: f0.txt,0
// expect: trace: f1.txt,1
import files;
file a[];
foreach i in [0:1] {
  file f<"f%i.txt" % i> = write("" + i);
  a[i] = f;
}
foreach f in a { trace(filename(f), read(f)); }
