/* Blobs: bytes from texts, numbers and files, and back. */
#include "call.h"

#include <limits.h>

static struct arena arena;

/* Calls a function of one input; a void value and a message if it fails. */
static struct leaf_value call(const char *name, struct leaf_value input, struct err *e)
{
    struct leaf_value output = {0};
    struct leaf_call c = {
        .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .arena = &arena};
    *e = (struct err){0};
    if (call_path)
        output = (struct leaf_value){.kind = LEAF_FILE, .text = slice_of(call_path)};
    leaf_find(name)->run(&c, e);
    return output;
}

static struct leaf_value text(const char *text)
{
    return leaf_text(slice_of(text));
}

static struct leaf_value bytes(const void *bytes, size_t length)
{
    return (struct leaf_value){.kind = LEAF_BLOB, .text = {bytes, length}};
}

static bool has_bytes(const struct leaf_value *blob, const void *wanted, size_t length)
{
    return blob->kind == LEAF_BLOB && blob->text.length == length &&
           memcmp(blob->text.text, wanted, length) == 0;
}

/* Reads "[1, 2]" or another argument of call.h. */
static struct leaf_value value(const char *written)
{
    return call_read(&written, &arena);
}

static void test_texts(void)
{
    struct err e;
    struct leaf_value blob = call("string2blob", text("hello"), &e);
    ok(has_bytes(&blob, "hello", 6), "a text gets a zero byte at its end");
    ok(call("blob_size", blob, &e).whole == 6, "blob_size() counts it");
    struct leaf_value back = call("blob2string", blob, &e);
    ok(back.kind == LEAF_STRING && slice_is(back.text, "hello"), "a blob becomes a text again");
    blob = call("string2blob", text(""), &e);
    ok(has_bytes(&blob, "", 1), "the empty text is one byte");
    back = call("blob2string", blob, &e);
    ok(back.text.length == 0, "and comes back");
    back = call("blob2string", bytes("abc", 3), &e);
    ok(slice_is(back.text, "abc"), "a text without a zero byte is whole");
    back = call("blob2string", bytes("ab\0cd", 6), &e);
    ok(slice_is(back.text, "ab"), "a text ends at its first zero byte, as in C");
    blob = call("blob_null", leaf_whole(0), &e);
    ok(call("blob_size", blob, &e).whole == 0, "blob_null() has no bytes");
    back = call("blob2string", blob, &e);
    ok(back.text.length == 0, "and no text");
    call("turbine_run_output_blob", blob, &e);
    ok(e.code == 0, "a blob may be handed to a program in C that is not there");
}

static void test_numbers(void)
{
    static const double floats[] = {1.5, -2.25, 8};
    static const int ints[] = {1, -1, INT_MAX, INT_MIN};
    struct err e;
    struct str shown = {0};
    struct leaf_value blob = call("floats2blob", value("[1.5, -2.25, 8.0]"), &e);
    ok(has_bytes(&blob, floats, sizeof floats), "floats are doubles of C");
    struct leaf_value back = call("blob2floats", blob, &e);
    leaf_show(&shown, &back);
    is_text(shown.text, "0 1.5 1 -2.25 2 8.0", "and come back");
    str_free(&shown);
    blob = call("ints2blob", value("[1, -1, 2147483647, -2147483648]"), &e);
    ok(has_bytes(&blob, ints, sizeof ints), "ints are ints of C, of 4 bytes");
    blob = call("floats2blob", value("[]"), &e);
    ok(has_bytes(&blob, "", 0), "no floats are no bytes");
    back = call("blob2floats", blob, &e);
    ok(back.kind == LEAF_ARRAY && back.members->count == 0, "and no bytes are no floats");
    blob = call("blob_zeroes_float", leaf_whole(3), &e);
    ok(has_bytes(&blob, (const double[3]){0}, 24), "blob_zeroes_float() makes floats that are 0");
}

static const struct {
    const char *function, *input, *message;
} mistakes[] = {
    {"floats2blob", "{0: 1.0, 2: 3.0}",
     "floats2blob: the array has no member 1, but a blob has no gaps: the keys must be 0 to 1"},
    {"ints2blob", "{-1: 1}",
     "ints2blob: the array has no member 0, but a blob has no gaps: the keys must be 0 to 0"},
    {"ints2blob", "[1, 2147483648]", "ints2blob: 2147483648 does not fit an int of C (4 bytes)"},
    {"ints2blob", "[-2147483649]", "ints2blob: -2147483649 does not fit an int of C (4 bytes)"},
    {"blob2floats", "\"123456789012\"",
     "blob2floats: the blob has 12 bytes, which is not a whole number of floats of 8 bytes"},
    {"blob_zeroes_float", "-1", "blob_zeroes_float: -1 is not from 0 to 134217728"},
    {"blob_zeroes_float", "134217729", "blob_zeroes_float: 134217729 is not from 0 to 134217728"},
    {"blob_read", "\"/nowhere/x\"", "cannot read /nowhere/x: No such file or directory"},
};

static void test_mistakes(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct err e;
        call(mistakes[i].function, value(mistakes[i].input), &e);
        ok(e.code == ERR_USER, "%s(%s) is a mistake", mistakes[i].function, mistakes[i].input);
        is_text(e.message, mistakes[i].message, "which is described");
    }
}

static void test_files(const char *folder)
{
    struct err e;
    char path[300];
    snprintf(path, sizeof path, "%s/new/folder/x.bin", folder);
    call_path = path;
    struct leaf_value file = call("blob_write", bytes("a\0\xff\n", 4), &e);
    ok(e.code == 0 && slice_is(file.text, path), "a blob is written, and its folders are made");
    call_path = NULL;
    struct leaf_value back = call("blob_read", file, &e);
    ok(has_bytes(&back, "a\0\xff\n", 4), "all of its bytes come back");
    for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
        *end = 0;
        if (strlen(path) < strlen(folder) || remove(path) != 0)
            break;
    }
}

int main(void)
{
    char folder[256];
    test_texts();
    test_numbers();
    test_mistakes();
    if (ok(tap_folder(folder, sizeof folder), "a folder"))
        test_files(folder);
    arena_free(&arena);
    return tap_end();
}
