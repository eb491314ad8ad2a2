// A type renamed from file, in arrays.
// expect: trace: a.png,b.png
import files;
typedef image file;
image A[];
image a<"a.png"> = render("a");
image b<"b.png"> = render("b");
A[0] = a;
A[1] = b;
wait deep (A) { trace(filename(A[0]), filename(A[1])); }
app (image o) render(string s) { "echo" s @stdout=o }
