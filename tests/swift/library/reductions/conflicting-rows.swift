// Different values for one key fail.
// exit: 1
// error: HERE
// error: member 0 is both
import reductions;
trace(size(reduce_splice_string([["a"], ["b"]]))); // here
