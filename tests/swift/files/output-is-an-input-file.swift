// Or one that exists.
// expect: trace: 1
// file: given.txt
//| x
import files;
file y<"copy.txt"> = f();
trace(length(read(y)) - 1);
(file o) f() { o = input("given.txt"); }
