// Vectors are printed one member a line.
// expect: 0: 1.5000
// expect: 1: -2.0000
// expect: 0: 7
import matrix;
vector_print([1.5, -2.0]);
vector_print_integer([7]);
