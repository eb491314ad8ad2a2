// Structs, files and arrays with different keys tell overloads apart.
// expect: trace: p,1
// expect: trace: q,2
// expect: trace: file,f.txt
// expect: trace: dictionary,1
import files;
type p { int n; }
type q { int n; }
f(p v) { trace("p", v.n); }
f(q v) { trace("q", v.n); }
f(file v) { trace("file", filename(v)); }
f(int v[string]) { trace("dictionary", size(v)); }
f(p(1));
f(q(2));
file x<"f.txt"> = write("");
f(x);
f({ "a": 1 });
