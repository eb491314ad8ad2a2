// The blob must have the right size.
// exit: 1
// error: HERE: matrix_from_blob_fortran: the blob has 24 bytes
import blob;
import matrix;
trace(size(matrix_from_blob_fortran(floats2blob([1, 2, 3]), 2, 2))); // here
