// write_array_string() writes keys and members, the ordered one only members.
// expect: trace: 2,1,1
// expect: trace: a
// expect: b
// expect: ,4
import files;
import string;
string a[] = ["a", "b"];
file f<"f.txt"> = write_array_string(a, 1);
string l[] = split(trim(read(f)), "\n");
trace(size(l), find(read(f), "0 a\n", 0, -1) >= 0, find(read(f), "1 b\n", 0, -1) >= 0);
file g<"g.txt"> = write_array_string_ordered(a);
trace(read(g), length(read(g)));
