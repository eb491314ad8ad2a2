// Blobs are written to and read from files as they are.
// before: printf 'a\000b\377' > in.bin
// expect: trace: 4
// after: cmp in.bin out.bin
import blob;
blob b = blob_read(input("in.bin"));
file o<"out.bin"> = blob_write(b);
trace(blob_size(b));
wait (o) { }
