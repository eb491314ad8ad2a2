// A function may return a file that is a variable of its own.
// expect: trace: x
import files;
trace(read(f()));
(file o) f() { file t = write("x"); o = t; }
