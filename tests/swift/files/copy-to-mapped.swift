// Assigning a file to a mapped one copies the contents.
// expect: trace: hello,a.txt,copies/b.txt
// after: cmp a.txt copies/b.txt
import files;
file a<"a.txt"> = write("hello");
file b<"copies/b.txt"> = a;
trace(read(b), filename(a), filename(b));
