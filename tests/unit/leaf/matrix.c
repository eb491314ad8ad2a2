/* Matrices: from the bytes of a blob, and printed. */
#include "call.h"

static const struct call_case printed[] = {
    {"vector_print([1.0, -2.5, 0.33333])", "0: 1.0000\n1: -2.5000\n2: 0.3333\n"},
    {"vector_print([])", ""},
    {"vector_print({-7: 1e6})", "-7: 1000000.0000\n"},
    {"vector_print_integer([4, -5])", "0: 4\n1: -5\n"},
    {"matrix_print([[1.0, 2.0], [3.0, 4.5]], 2)",
     "matrix rows: 2\nrow 0:  1.0000 2.0000\nrow 1:  3.0000 4.5000\n"},
    {"matrix_print([[1.0], [2.0]], 1)", "matrix rows: 1\nrow 0:  1.0000\n"},
    {"matrix_print([[]], 1)", "matrix rows: 1\nrow 0: \n"},
    {"matrix_print([], 0)", "matrix rows: 0\n"},
    {"matrix_print([[1.0]], 2)", "error: matrix_print: the matrix has no row 1 of 2"},
    {"matrix_print_integer([[1, 2], [3, 4]], 2)", "matrix rows: 2\nrow 0:  1 2\nrow 1:  3 4\n"},
};

static const double cells[] = {1, 2, 3, 4, 5, 6};

static const struct {
    size_t bytes;
    int64_t rows, columns;
    const char *result;
} blobs[] = {
    {sizeof cells, 2, 3, "0 {0 1.0 1 3.0 2 5.0} 1 {0 2.0 1 4.0 2 6.0}"},
    {sizeof cells, 3, 2, "0 {0 1.0 1 4.0} 1 {0 2.0 1 5.0} 2 {0 3.0 1 6.0}"},
    {sizeof cells, 1, 6, "0 {0 1.0 1 2.0 2 3.0 3 4.0 4 5.0 5 6.0}"},
    {0, 0, 0, ""},
    {0, INT64_MAX, 0, ""},
    {40, 2, 3,
     "matrix_from_blob_fortran: the blob has 40 bytes, which is not 2 x 3 floats of 8 bytes"},
    {48, -2, -3,
     "matrix_from_blob_fortran: the blob has 48 bytes, which is not -2 x -3 floats of 8 bytes"},
    {0, INT64_MAX, INT64_MAX,
     "matrix_from_blob_fortran: the blob has 0 bytes, which is not 9223372036854775807 x "
     "9223372036854775807 floats of 8 bytes"},
    {0, INT64_C(1) << 61, 1,
     "matrix_from_blob_fortran: the blob has 0 bytes, which is not 2305843009213693952 x 1 floats "
     "of 8 bytes"},
};

static void test_blobs(void)
{
    for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++) {
        struct arena arena = {0};
        struct str shown = {0};
        struct err e = {0};
        const struct leaf_value inputs[] = {
            {.kind = LEAF_BLOB, .text = {(const char *)cells, blobs[i].bytes}},
            leaf_whole(blobs[i].rows),
            leaf_whole(blobs[i].columns)};
        struct leaf_value output = {0};
        struct leaf_call call = {
            .inputs = inputs, .input_count = 3, .outputs = &output, .arena = &arena};
        if (leaf_find("matrix_from_blob_fortran")->run(&call, &e) == 0)
            leaf_show(&shown, &output);
        else
            str_add(&shown, e.message);
        is_text(str_text(&shown), blobs[i].result, "a matrix is made of a blob column by column");
        str_free(&shown);
        arena_free(&arena);
    }
}

int main(void)
{
    CALL_CHECK(printed);
    test_blobs();
    return tap_end();
}
