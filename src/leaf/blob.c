/* blob.c - bytes: as text, as C doubles and ints in the layout of this machine, and in files. */
#include "leaf/files.h"

#include <limits.h>

static struct leaf_value blob_of(const void *bytes, size_t length)
{
    return (struct leaf_value){.kind = LEAF_BLOB, .text = {bytes, length}};
}

static int run_blob_size(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole((int64_t)call->inputs[0].text.length));
}

static int run_blob_null(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, blob_of("", 0));
}

/* ---- text ---- */

/* A zero byte ends the text, because the blob is for functions in C. */
static int run_string2blob(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice text = call->inputs[0].text;
    return leaf_give(call,
                     blob_of(arena_copy(call->arena, text.text, text.length), text.length + 1));
}

static int run_blob2string(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice text = call->inputs[0].text;
    const char *end = text.length > 0 ? memchr(text.text, 0, text.length) : NULL;
    if (end)
        text.length = (size_t)(end - text.text);
    return leaf_give(call, leaf_text(text));
}

/* ---- numbers ---- */

enum { BLOB_LIMIT = 1 << 30 }; /* bytes */

/* Room for the members of input 0 as `size` bytes each; NULL if their keys are not 0, 1, ... */
static char *start(const struct leaf_call *call, const char *name, size_t size, struct err *e)
{
    const struct leaf_members *members = call->inputs[0].members;
    for (size_t i = 0; i < members->count; i++)
        if (members->items[i].key.whole != (int64_t)i) {
            err_set(e, ERR_USER,
                    "%s: the array has no member %zu, but a blob has no gaps: the keys must be 0 "
                    "to %zu",
                    name, i, members->count - 1);
            return NULL;
        }
    return arena_new(call->arena, members->count, size);
}

static int run_floats2blob(const struct leaf_call *call, struct err *e)
{
    const struct leaf_members *members = call->inputs[0].members;
    double number;
    char *bytes = start(call, "floats2blob", sizeof number, e);
    for (size_t i = 0; bytes && i < members->count; i++) {
        number = members->items[i].value.number;
        memcpy(bytes + i * sizeof number, &number, sizeof number);
    }
    return bytes ? leaf_give(call, blob_of(bytes, members->count * sizeof number)) : ERR_USER;
}

static int run_ints2blob(const struct leaf_call *call, struct err *e)
{
    const struct leaf_members *members = call->inputs[0].members;
    int number;
    char *bytes = start(call, "ints2blob", sizeof number, e);
    for (size_t i = 0; bytes && i < members->count; i++) {
        int64_t whole = members->items[i].value.whole;
        if (whole < INT_MIN || whole > INT_MAX)
            return err_set(e, ERR_USER, "ints2blob: %lld does not fit an int of C (4 bytes)",
                           (long long)whole);
        number = (int)whole;
        memcpy(bytes + i * sizeof number, &number, sizeof number);
    }
    return bytes ? leaf_give(call, blob_of(bytes, members->count * sizeof number)) : ERR_USER;
}

static int run_blob2floats(const struct leaf_call *call, struct err *e)
{
    struct slice bytes = call->inputs[0].text;
    double number;
    if (bytes.length % sizeof number != 0)
        return err_set(e, ERR_USER,
                       "blob2floats: the blob has %zu bytes, which is not a whole number of floats "
                       "of %zu bytes",
                       bytes.length, sizeof number);
    size_t count = bytes.length / sizeof number;
    struct leaf_member *items = leaf_list_start(&call->outputs[0], LEAF_ARRAY, count, call->arena);
    for (size_t i = 0; i < count; i++) {
        memcpy(&number, bytes.text + i * sizeof number, sizeof number);
        items[i].value = leaf_number(number);
    }
    return 0;
}

static int run_blob_zeroes_float(const struct leaf_call *call, struct err *e)
{
    int64_t count = call->inputs[0].whole, most = BLOB_LIMIT / (int64_t)sizeof(double);
    if (count < 0 || count > most)
        return err_set(e, ERR_USER, "blob_zeroes_float: %lld is not from 0 to %lld",
                       (long long)count, (long long)most);
    size_t length = (size_t)count * sizeof(double);
    return leaf_give(call, blob_of(arena_new(call->arena, length, 1), length));
}

/* ---- files ---- */

static int run_blob_read(const struct leaf_call *call, struct err *e)
{
    struct slice content;
    int failed = leaf_file_load(call, &content, e);
    return failed ? failed : leaf_give(call, blob_of(content.text, content.length));
}

static int run_blob_write(const struct leaf_call *call, struct err *e)
{
    return leaf_file_save(call, call->inputs[0].text, e);
}

/* For a program in C that runs scripts as a library: there is none here, so nobody takes the blob.
 */
static int run_turbine_run_output_blob(const struct leaf_call *call, struct err *e)
{
    (void)call;
    (void)e;
    return 0;
}

const struct leaf_function leaf_blob[] = {
    {"blob_size", LEAF_AT_ONCE, run_blob_size},
    {"blob_null", LEAF_AT_ONCE, run_blob_null},
    {"string2blob", LEAF_AT_ONCE, run_string2blob},
    {"blob2string", LEAF_AT_ONCE, run_blob2string},
    {"floats2blob", LEAF_AT_ONCE, run_floats2blob},
    {"blob2floats", LEAF_AT_ONCE, run_blob2floats},
    {"ints2blob", LEAF_AT_ONCE, run_ints2blob},
    {"blob_zeroes_float", LEAF_AT_ONCE, run_blob_zeroes_float},
    {"blob_read", LEAF_TASK, run_blob_read},
    {"blob_write", LEAF_TASK, run_blob_write},
    {"turbine_run_output_blob", LEAF_AT_ONCE, run_turbine_run_output_blob},
    {0},
};
