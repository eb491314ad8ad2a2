// Blobs are passed, returned and stored.
// expect: trace: abc,4
import blob;
blob b[];
b[0] = same(string2blob("abc"));
trace(blob2string(b[0]), blob_size(b[0]));
(blob o) same(blob i) { o = i; }
