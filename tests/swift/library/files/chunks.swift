// file_chunks() cuts a file at lines that are the delimiter.
// file: a.txt
//| # x
//| one
//|
//| more
//| ----
//| two
//| ----
// expect: trace: 3,[one
// expect: more],[two],[]
import files;
string c[] = file_chunks(input("a.txt"));
trace(size(c), "[" + c[0] + "]", "[" + c[1] + "]", "[" + c[2] + "]");
