// Also through several functions.
// after: [ "$(cat deep.txt)" = text ]
import files;
file x<"deep.txt"> = f();
wait (x) { }
(file o) f() { o = g(); }
(file o) g() { file t<"inner.txt"> = write("text"); o = t; }
