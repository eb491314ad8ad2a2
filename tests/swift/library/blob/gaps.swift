// The members of an array have no gaps.
// exit: 1
// error: floats2blob
import blob;
float f[];
f[0] = 1.0;
f[2] = 2.0;
trace(blob_size(floats2blob(f)));
