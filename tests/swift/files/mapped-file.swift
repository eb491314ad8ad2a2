// A mapped file is made at its path, and its folders are created.
// expect: trace: out/deep/a.txt
// after: [ "$(cat out/deep/a.txt)" = hello ]
import files;
file f<"out/deep/a.txt"> = write("hello");
trace(filename(f));
