// A blob of zero bytes, and an empty one.
// expect: trace: 24,3,0.0,0
import blob;
blob b = blob_zeroes_float(3);
trace(blob_size(b), size(blob2floats(b)), blob2floats(b)[2], blob_size(blob_null()));
