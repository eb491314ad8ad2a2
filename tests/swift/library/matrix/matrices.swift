// Matrices are printed one row a line.
// expect: matrix rows: 2
// expect: row 0:  1.0000 2.0000
// expect: row 1:  3.0000 4.5000
// expect: matrix rows: 1
// expect: row 0:  7 8
import matrix;
matrix_print([[1.0, 2.0], [3.0, 4.5]], 2);
matrix_print_integer([[7, 8]], 1);
