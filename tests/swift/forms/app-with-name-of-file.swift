// @f is the name of a file, and the program a string.
// expect: trace: -s 3 in.txt
import files;
import string;
app (file o) sim(file f, int i) { "echo" "-s" i @f @stdout=o }
file f0<"in.txt"> = write("");
trace(trim(read(sim(f0, 3))));
