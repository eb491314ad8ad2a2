/* builtins.c - what needs no import, and printf(). */
#include "leaf/modules.h"

#include <malloc.h>
#include <math.h>

/* ---- output ---- */

static void print_line(const struct leaf_call *call, struct str *line, bool newline)
{
    if (newline)
        str_add_char(line, '\n');
    call->world->print(call->world->self, str_text(line), line->length);
    str_free(line);
}

static int run_trace(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct str line = {0};
    str_add(&line, "trace: ");
    for (size_t i = 0; i < call->input_count; i++) {
        if (i > 0)
            str_add_char(&line, ',');
        leaf_show(&line, &call->inputs[i]);
    }
    print_line(call, &line, true);
    return 0;
}

static int run_printf(const struct leaf_call *call, struct err *e)
{
    struct str line = {0};
    if (leaf_call_format(call, &line, e) != 0) {
        str_free(&line);
        return ERR_USER;
    }
    print_line(call, &line, call->world->print_newline);
    return 0;
}

/* ---- numbers and booleans ---- */

static int run_max(const struct leaf_call *call, struct err *e)
{
    (void)e;
    bool second = leaf_less(&call->inputs[0], &call->inputs[1]);
    return leaf_give(call, call->inputs[second]);
}

static int run_min(const struct leaf_call *call, struct err *e)
{
    (void)e;
    bool second = leaf_less(&call->inputs[1], &call->inputs[0]);
    return leaf_give(call, call->inputs[second]);
}

static int run_xor(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(!call->inputs[0].whole != !call->inputs[1].whole));
}

static int run_ternary(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, call->inputs[call->inputs[0].whole ? 1 : 2]);
}

/* ---- conversions ---- */

static int run_show(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct str text = {0};
    leaf_show(&text, &call->inputs[0]);
    return leaf_give(call, leaf_take(&text, call->arena));
}

static int run_boolean2string(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_text(slice_of(call->inputs[0].whole ? "true" : "false")));
}

static int run_string2int(const struct leaf_call *call, struct err *e)
{
    struct slice text = call->inputs[0].text;
    int64_t base = call->input_count > 1 ? call->inputs[1].whole : 10, whole;
    double number;
    if (base < 2 || base > 36)
        return err_set(e, ERR_USER, "Integer parse: the base is from 2 to 36, not %lld",
                       (long long)base);
    if (leaf_read_whole(text, (int)base, &whole))
        return leaf_give(call, leaf_whole(whole));
    const char *shown = leaf_excerpt(text, call->arena);
    if (base == 10 && leaf_read_float(text, &number) && fabs(number) >= 0x1p63)
        return err_set(e, ERR_USER, "Integer parse: '%s' does not fit into 64 bits", shown);
    return err_set(e, ERR_USER, "Integer parse: '%s' cannot be interpreted as a base %d integer",
                   shown, (int)base);
}

static int run_string2float(const struct leaf_call *call, struct err *e)
{
    double number;
    struct slice text = call->inputs[0].text;
    if (!leaf_read_float(text, &number))
        return err_set(e, ERR_USER, "string2float(): could not convert string '%s' to float",
                       leaf_excerpt(text, call->arena));
    return leaf_give(call, leaf_number(number));
}

static bool starts_word(struct slice text, const char *word)
{
    return text.length <= strlen(word) && strncasecmp(text.text, word, text.length) == 0;
}

/* A word, or the start of one that is the start of no other: "o" could be on and off. */
static bool read_truth(struct slice text, bool *truth)
{
    static const char *const words[2][3] = {{"false", "no", "off"}, {"true", "yes", "on"}};
    double number;
    text = leaf_trim(text);
    if (leaf_read_float(text, &number)) {
        *truth = number != 0;
        return true;
    }
    if (text.length == 0 || (text.length == 1 && starts_word(text, "o")))
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            if (starts_word(text, words[i][j])) {
                *truth = i;
                return true;
            }
    return false;
}

static int run_string2boolean(const struct leaf_call *call, struct err *e)
{
    bool truth;
    struct slice text = call->inputs[0].text;
    if (!read_truth(text, &truth))
        return err_set(e, ERR_USER,
                       "string2boolean(): '%s' is neither true, yes, on nor false, no, off, nor a "
                       "number",
                       leaf_excerpt(text, call->arena));
    return leaf_give(call, leaf_truth(truth));
}

static int run_int2float(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number((double)call->inputs[0].whole));
}

static int run_float2int(const struct leaf_call *call, struct err *e)
{
    static const double limit = 9223372036854775808.0; /* 2^63 */
    double number = trunc(call->inputs[0].number);
    if (number >= -limit && number < limit)
        return leaf_give(call, leaf_whole((int64_t)number));
    struct str text = {0};
    leaf_show_number(&text, number);
    err_set(e, ERR_USER, "float2int: %s is not an integer of 64 bits", text.text);
    str_free(&text);
    return ERR_USER;
}

static int run_boolean2int(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole(call->inputs[0].whole));
}

/* ---- control ---- */

static int run_propagate(const struct leaf_call *call, struct err *e)
{
    (void)call;
    (void)e;
    return 0;
}

static int run_zero(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole(0));
}

static int run_init_updateable(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, call->inputs[0]);
}

static int run_cat_check(const struct leaf_call *call, struct err *e)
{
    if (call->inputs[1].whole > 0)
        return 0;
    return err_set(e, ERR_USER, "%s: there is no file in the array",
                   leaf_excerpt(call->inputs[0].text, call->arena));
}

/* ---- the run ---- */

static int run_turbine_workers(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole(call->world->workers));
}

static int run_adlb_servers(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole(call->world->servers));
}

static int run_mallinfo(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct mallinfo2 info = mallinfo2();
    return leaf_give(call, leaf_whole((int64_t)(info.uordblks + info.hblkhd)));
}

const struct leaf_function leaf_builtins[] = {
    {"trace", LEAF_AT_ONCE, run_trace},
    {"printf", LEAF_AT_ONCE, run_printf},
    {"max", LEAF_AT_ONCE, run_max},
    {"min", LEAF_AT_ONCE, run_min},
    {"xor", LEAF_AT_ONCE, run_xor},
    {"ternary", LEAF_AT_ONCE, run_ternary},
    {"repr", LEAF_AT_ONCE, run_show},
    {"boolean2string", LEAF_AT_ONCE, run_boolean2string},
    {"string2int", LEAF_AT_ONCE, run_string2int},
    {"string2float", LEAF_AT_ONCE, run_string2float},
    {"string2boolean", LEAF_AT_ONCE, run_string2boolean},
    {"int2float", LEAF_AT_ONCE, run_int2float},
    {"float2int", LEAF_AT_ONCE, run_float2int},
    {"boolean2int", LEAF_AT_ONCE, run_boolean2int},
    {"propagate", LEAF_AT_ONCE, run_propagate},
    {"zero", LEAF_AT_ONCE, run_zero},
    {"init_updateable", LEAF_AT_ONCE, run_init_updateable},
    {"cat_check", LEAF_AT_ONCE, run_cat_check},
    {"turbine_workers", LEAF_AT_ONCE, run_turbine_workers},
    {"adlb_servers", LEAF_AT_ONCE, run_adlb_servers},
    {"mallinfo", LEAF_AT_ONCE, run_mallinfo},
    {0},
};
