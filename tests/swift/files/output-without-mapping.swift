// Without one, the file is a temporary.
// expect: trace: text
import files;
file x = f();
trace(read(x));
(file o) f() { o = write("text"); }
