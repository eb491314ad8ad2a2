// The path of a mapped file is known before its contents.
// order: exact
// ranks: 2
// expect: trace: a.txt
// expect: trace: hello
import files;
string text;
file f<"a.txt"> = write(text);
trace(read(f));
trace(filename(f)) => text = "hello";
