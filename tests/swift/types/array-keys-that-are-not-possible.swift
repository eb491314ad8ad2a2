// Blobs, files and arrays cannot be keys.
// exit: 2
// error: HERE
// error: THERE
int a[blob]; // here
int b[file]; // there
trace(size(a), size(b));
