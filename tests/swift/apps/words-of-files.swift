// Files become their paths, for inputs and outputs.
// expect: trace: in.txt out.txt
// after: [ "$(cat out.txt)" = text ]
import files;
file x<"in.txt"> = write("text");
file y<"out.txt"> = copy(x);
wait (y) { trace(filename(x) + " " + filename(y)); }
app (file o) copy(file i) { "cp" i o }
