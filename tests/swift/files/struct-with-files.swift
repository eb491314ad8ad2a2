// Structs hold files.
// expect: trace: in.txt,1,2
import files;
type run { file source; file result; }
file s<"in.txt"> = write("1");
run r = run(s, write("2"));
trace(filename(r.source), read(r.source), read(r.result));
