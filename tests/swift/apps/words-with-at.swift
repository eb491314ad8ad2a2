// @name is an old spelling of the path of a file.
// after: cmp a.txt b.txt
import files;
file a<"a.txt"> = write("x");
file b<"b.txt"> = copy(a);
wait (b) { }
app (file o) copy(file i) { "cp" @i @o }
