@pure (float o[][]) matrix_from_blob_fortran(blob b, int m, int n)
    "wick" "1" "matrix_from_blob_fortran";
(void o) vector_print(float x[]) "wick" "1" "vector_print";
(void o) vector_print_integer(int x[]) "wick" "1" "vector_print_integer";
(void o) matrix_print(float A[][], int rows) "wick" "1" "matrix_print";
(void o) matrix_print_integer(int A[][], int rows) "wick" "1" "matrix_print_integer";
