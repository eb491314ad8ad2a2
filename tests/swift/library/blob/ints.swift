// Ints have 4 bytes each.
// expect: trace: 12,4
import blob;
trace(blob_size(ints2blob([1, -2, 3])), blob_size(blob_from_ints([7])));
