/*
 * call.h - functions of the library, called as a script would write it:
 *
 *     {"substring(\"workflow\", 4, 4)", "flow"}
 *
 * Arguments are ints, floats (with a point), strings in quotes of either kind, true and false,
 * arrays in brackets, arrays with keys in braces, and structs in angle brackets. The result is what
 * trace() would show, several with " | " between them; of a mistake, its message behind "error: ".
 */
#ifndef TESTS_LEAF_CALL_H
#define TESTS_LEAF_CALL_H

#include "leaf/leaf.h"

#include "tap.h"

struct call_case {
    const char *call, *result;
};

/* The run that functions see, apart from what they print; a test may change it. */
static struct leaf_world call_world = {.workers = 3, .servers = 1, .print_newline = true};

/* The path of an output that is a file; NULL: the output is something else. */
static const char *call_path;

/* ---- reading arguments ---- */

static struct leaf_value call_read(const char **at, struct arena *arena);

static void call_blanks(const char **at)
{
    *at += strspn(*at, " ");
}

static struct leaf_value call_read_string(const char **at)
{
    char quote = **at;
    const char *start = ++*at;
    *at = strchr(start, quote) + 1;
    return leaf_text((struct slice){start, (size_t)(*at - 1 - start)});
}

static struct leaf_value call_read_number(const char **at)
{
    char *end;
    double number = strtod(*at, &end);
    bool whole = (size_t)(end - *at) == strspn(*at, "-0123456789");
    int64_t value = strtoll(*at, NULL, 10);
    *at = end;
    return whole ? leaf_whole(value) : leaf_number(number);
}

/* [1, 2], {"a": 1} or <1, 2.0> */
static struct leaf_value call_read_members(const char **at, char end, struct arena *arena)
{
    struct leaf_value array;
    struct leaf_member *items = leaf_array_start(&array, 32, arena);
    size_t count = 0;
    struct err e = {0};
    ++*at;
    for (call_blanks(at); **at != end; call_blanks(at)) {
        items[count].key = leaf_whole((int64_t)count);
        items[count].value = call_read(at, arena);
        call_blanks(at);
        if (**at == ':') {
            ++*at;
            items[count].key = items[count].value;
            items[count].value = call_read(at, arena);
            call_blanks(at);
        }
        count++;
        *at += **at == ',';
    }
    ++*at;
    leaf_array_cut(&array, count);
    if (leaf_array_end(&array, &e) != 0)
        printf("# %s\n", e.message);
    array.kind = end == '>' ? LEAF_STRUCT : LEAF_ARRAY;
    return array;
}

static struct leaf_value call_read(const char **at, struct arena *arena)
{
    call_blanks(at);
    switch (**at) {
    case '"':
    case '\'': return call_read_string(at);
    case '[': return call_read_members(at, ']', arena);
    case '{': return call_read_members(at, '}', arena);
    case '<': return call_read_members(at, '>', arena);
    case 't': *at += 4; return leaf_truth(true);
    case 'f': *at += 5; return leaf_truth(false);
    default: return call_read_number(at);
    }
}

/* ---- calling ---- */

enum { CALL_INPUTS = 32, CALL_OUTPUTS = 3 };

static void call_print(void *self, const char *text, size_t length)
{
    str_add_bytes(self, text, length);
}

static void call_show(struct str *out, const struct leaf_value *outputs)
{
    for (int i = 0; i < CALL_OUTPUTS; i++) {
        if (outputs[i].kind == LEAF_VOID)
            continue;
        if (i > 0)
            str_add(out, " | ");
        leaf_show(out, &outputs[i]);
    }
}

/* Runs a call and appends its result, behind what it printed. */
__attribute__((unused)) static void call_run(const char *text, struct str *out)
{
    char name[64];
    size_t length = strcspn(text, "("), count = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    struct arena arena = {0};
    struct random random;
    struct leaf_value inputs[CALL_INPUTS], outputs[CALL_OUTPUTS] = {0};
    random_seed(&random, 1, 0);
    text += length + 1;
    for (call_blanks(&text); *text && *text != ')'; text += *text == ',')
        inputs[count++] = call_read(&text, &arena);
    const struct leaf_function *function = leaf_find(name);
    struct leaf_world world = call_world;
    world.self = out;
    world.print = call_print;
    if (call_path)
        outputs[0] = (struct leaf_value){.kind = LEAF_FILE, .text = slice_of(call_path)};
    const struct leaf_call call = {.inputs = inputs,
                                   .input_count = count,
                                   .outputs = outputs,
                                   .output_count = CALL_OUTPUTS,
                                   .arena = &arena,
                                   .world = &world,
                                   .random = &random};
    struct err e = {0};
    if (!function)
        str_printf(out, "there is no function %s", name);
    else if (function->run(&call, &e) != 0)
        str_printf(out, "error: %s", e.message);
    else
        call_show(out, outputs);
    arena_free(&arena);
}

/* Checks a table of calls. */
__attribute__((unused)) static void call_check(const struct call_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct str out = {0};
        call_run(cases[i].call, &out);
        is_text(str_text(&out), cases[i].result, cases[i].call);
        str_free(&out);
    }
}

#define CALL_CHECK(cases) call_check(cases, sizeof(cases) / sizeof *(cases))

#endif
