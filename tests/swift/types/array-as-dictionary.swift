// Members of arrays can be arrays, structs, bags and files.
// expect: trace: 2,x,1,f.txt
import files;
type p { string name; }
int a[][];
p b[];
bag<int> c[string];
file d[];
a[0] = [1, 2];
b[3] = p("x");
c["k"] += 1;
file f<"f.txt"> = write("");
d[0] = f;
trace(size(a[0]), b[3].name, bag_size(c["k"]), filename(d[0]));
