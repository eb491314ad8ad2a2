// @stdin reads from a file.
// expect: trace: HELLO
import files;
import string;
trace(trim(read(upper(write("hello\n")))));
app (file o) upper(file i) { "tr" "a-z" "A-Z" @stdin=i @stdout=o }
