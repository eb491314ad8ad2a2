/* matrix.c - arrays of arrays of numbers: from the memory layout of Fortran, and printed. */
#include "leaf/modules.h"

/* Element (i, j) of m rows and n columns is number j * m + i of the blob. */
static int run_matrix_from_blob_fortran(const struct leaf_call *call, struct err *e)
{
    struct slice bytes = call->inputs[0].text;
    int64_t m = call->inputs[1].whole, n = call->inputs[2].whole;
    size_t cells, size;
    double number;
    if (m < 0 || n < 0 || __builtin_mul_overflow(m, n, &cells) ||
        __builtin_mul_overflow(cells, sizeof number, &size) || size != bytes.length)
        return err_set(e, ERR_USER,
                       "matrix_from_blob_fortran: the blob has %zu bytes, which is not %lld x %lld "
                       "floats of %zu bytes",
                       bytes.length, (long long)m, (long long)n, sizeof number);
    size_t row_count = cells > 0 ? (size_t)m : 0, column_count = cells > 0 ? (size_t)n : 0;
    struct leaf_member *rows =
        leaf_list_start(&call->outputs[0], LEAF_ARRAY, row_count, call->arena);
    for (size_t i = 0; i < row_count; i++) {
        struct leaf_member *row =
            leaf_list_start(&rows[i].value, LEAF_ARRAY, column_count, call->arena);
        for (size_t j = 0; j < column_count; j++) {
            memcpy(&number, bytes.text + (j * row_count + i) * sizeof number, sizeof number);
            row[j].value = leaf_number(number);
        }
    }
    return 0;
}

/* ---- printing: all lines in one piece, so that nothing comes between them ---- */

static int print(const struct leaf_call *call, struct str *lines)
{
    call->world->print(call->world->self, str_text(lines), lines->length);
    str_free(lines);
    return 0;
}

static void add_number(struct str *lines, const struct leaf_value *value)
{
    if (value->kind == LEAF_INT)
        str_printf(lines, "%lld", (long long)value->whole);
    else
        str_printf(lines, "%.4f", value->number);
}

static int run_vector_print(const struct leaf_call *call, struct err *e)
{
    (void)e;
    const struct leaf_members *members = call->inputs[0].members;
    struct str lines = {0};
    for (size_t i = 0; i < members->count; i++) {
        str_printf(&lines, "%lld: ", (long long)members->items[i].key.whole);
        add_number(&lines, &members->items[i].value);
        str_add_char(&lines, '\n');
    }
    return print(call, &lines);
}

static int run_matrix_print(const struct leaf_call *call, struct err *e)
{
    struct str lines = {0};
    int64_t rows = call->inputs[1].whole;
    str_printf(&lines, "matrix rows: %lld\n", (long long)rows);
    for (int64_t i = 0; i < rows; i++) {
        struct leaf_value key = leaf_whole(i);
        const struct leaf_value *row = leaf_member(&call->inputs[0], &key);
        if (!row) {
            str_free(&lines);
            return err_set(e, ERR_USER, "matrix_print: the matrix has no row %lld of %lld",
                           (long long)i, (long long)rows);
        }
        str_printf(&lines, "row %lld: ", (long long)i);
        for (size_t j = 0; j < row->members->count; j++) {
            str_add_char(&lines, ' ');
            add_number(&lines, &row->members->items[j].value);
        }
        str_add_char(&lines, '\n');
    }
    return print(call, &lines);
}

const struct leaf_function leaf_matrix[] = {
    {"matrix_from_blob_fortran", LEAF_AT_ONCE, run_matrix_from_blob_fortran},
    {"vector_print", LEAF_AT_ONCE, run_vector_print},
    {"vector_print_integer", LEAF_AT_ONCE, run_vector_print},
    {"matrix_print", LEAF_AT_ONCE, run_matrix_print},
    {"matrix_print_integer", LEAF_AT_ONCE, run_matrix_print},
    {0},
};
