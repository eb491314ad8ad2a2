// An int that does not fit into 4 bytes fails.
// exit: 1
// error: HERE: ints2blob: 2147483648
import blob;
trace(blob_size(ints2blob([2147483648]))); // here
