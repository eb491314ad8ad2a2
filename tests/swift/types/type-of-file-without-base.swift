// `type T;` is an old spelling of a subtype of file.
// warning: `type image;` is an old spelling
// expect: trace: a.png
type image;
import files;
image i<"a.png"> = image(write("x"));
trace(filename(i));
