// A blob in the order of Fortran becomes an array of rows.
// expect: trace: 2,3,1.0,2.0,5.0,6.0
import blob;
import matrix;
float m[][] = matrix_from_blob_fortran(floats2blob([1, 2, 3, 4, 5, 6]), 2, 3);
trace(size(m), size(m[0]), m[0][0], m[1][0], m[0][2], m[1][2]);
