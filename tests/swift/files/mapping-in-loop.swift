// A file can be mapped in a loop.
// expect: trace: out1.txt,1
// expect: trace: out2.txt,2
// expect: trace: out3.txt,3
import files;
foreach i in [1:3] {
  file f<"out%i.txt" % i> = write("" + i);
  trace(filename(f), read(f));
}
