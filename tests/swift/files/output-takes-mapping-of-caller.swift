// An output of a composite function has the mapping of the caller's variable.
// expect: trace: n.txt
// expect: trace: n.txt,hi
// after: [ "$(ls)" = $'n.txt\noutput-takes-mapping-of-caller.swift' ]
import files;
file x<"n.txt"> = f();
trace(filename(x), read(x));
(file o) f() { trace(filename(o)); o = say(); }
app (file o) say() { "printf" "hi" @stdout=o }
