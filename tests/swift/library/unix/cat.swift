// cat() joins files, catp() prints them.
// expect: trace: ab
// expect: a
// expect: b
import files;
import unix;
file a<"a.txt"> = write("a\n");
file b<"b.txt"> = write("b\n");
file c<"c.txt"> = cat([a, b]);
trace(replaceAll(read(c), "\n", ""));
catp([a, b]);
import string;
