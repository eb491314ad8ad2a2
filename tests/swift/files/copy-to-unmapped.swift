// Assigning to an unmapped file shares the path.
// expect: trace: a.txt,hello
// after: [ "$(ls)" = $'a.txt\ncopy-to-unmapped.swift' ]
import files;
file a<"a.txt"> = write("hello");
file b = a;
trace(filename(b), read(b));
