/*
 * operators.c - the operators, as functions.
 *
 * Whole numbers wrap when they overflow: the arithmetic is done on unsigned ones, where that is
 * defined. What compares numbers serves floats and ints.
 */
#include "leaf/modules.h"

#include <math.h>

/* ---- whole numbers ---- */

static int give_whole(const struct leaf_call *call, uint64_t whole)
{
    return leaf_give(call, leaf_whole((int64_t)whole));
}

static int run_int_plus(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_whole(call, (uint64_t)call->inputs[0].whole + (uint64_t)call->inputs[1].whole);
}

static int run_int_minus(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_whole(call, (uint64_t)call->inputs[0].whole - (uint64_t)call->inputs[1].whole);
}

static int run_int_times(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_whole(call, (uint64_t)call->inputs[0].whole * (uint64_t)call->inputs[1].whole);
}

static int run_negate_int(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_whole(call, 0 - (uint64_t)call->inputs[0].whole);
}

static int by_zero(int64_t dividend, const char *sign, struct err *e)
{
    return err_set(e, ERR_USER, "integer division by zero: %lld %s 0", (long long)dividend, sign);
}

static int run_int_divide(const struct leaf_call *call, struct err *e)
{
    int64_t a = call->inputs[0].whole, b = call->inputs[1].whole;
    if (b == 0)
        return by_zero(a, "%/", e);
    return give_whole(call, b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b));
}

static int run_int_remainder(const struct leaf_call *call, struct err *e)
{
    int64_t a = call->inputs[0].whole, b = call->inputs[1].whole;
    if (b == 0)
        return by_zero(a, "%%", e);
    return leaf_give(call, leaf_whole(b == -1 ? 0 : a % b));
}

/* ---- floats ---- */

static int run_float_plus(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(call->inputs[0].number + call->inputs[1].number));
}

static int run_float_minus(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(call->inputs[0].number - call->inputs[1].number));
}

static int run_float_times(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(call->inputs[0].number * call->inputs[1].number));
}

/* Division by zero is an infinity, of either sign, or NaN: that is Annex F of C, not an error. */
__attribute__((no_sanitize("float-divide-by-zero"))) static int run_float_divide(
    const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(call->inputs[0].number / call->inputs[1].number));
}

static int run_negate_float(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(-call->inputs[0].number));
}

static int power(const struct leaf_call *call, double base, double exponent, struct err *e)
{
    struct str text = {0};
    double result = pow(base, exponent);
    if (!isnan(result) || isnan(base) || isnan(exponent))
        return leaf_give(call, leaf_number(result));
    leaf_show_number(&text, base);
    str_add(&text, " ** ");
    leaf_show_number(&text, exponent);
    err_set(e, ERR_USER, "%s is not a real number", text.text);
    str_free(&text);
    return ERR_USER;
}

static int run_power_int(const struct leaf_call *call, struct err *e)
{
    return power(call, (double)call->inputs[0].whole, (double)call->inputs[1].whole, e);
}

static int run_power_float(const struct leaf_call *call, struct err *e)
{
    return power(call, call->inputs[0].number, call->inputs[1].number, e);
}

/* ---- comparisons ---- */

bool leaf_equal(const struct leaf_value *a, const struct leaf_value *b)
{
    if (a->kind == LEAF_FLOAT)
        return a->number == b->number; /* NaN equals nothing */
    return leaf_compare(a, b) == 0;
}

bool leaf_less(const struct leaf_value *a, const struct leaf_value *b)
{
    return a->kind == LEAF_FLOAT ? a->number < b->number : a->whole < b->whole;
}

bool leaf_at_most(const struct leaf_value *a, const struct leaf_value *b)
{
    return a->kind == LEAF_FLOAT ? a->number <= b->number : a->whole <= b->whole;
}

static int run_equal(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(leaf_equal(&call->inputs[0], &call->inputs[1])));
}

static int run_unequal(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(!leaf_equal(&call->inputs[0], &call->inputs[1])));
}

static int run_less(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(leaf_less(&call->inputs[0], &call->inputs[1])));
}

static int run_at_most(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(leaf_at_most(&call->inputs[0], &call->inputs[1])));
}

static int run_more(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(leaf_less(&call->inputs[1], &call->inputs[0])));
}

static int run_at_least(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(leaf_at_most(&call->inputs[1], &call->inputs[0])));
}

/* ---- booleans ---- */

static int run_and(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(call->inputs[0].whole && call->inputs[1].whole));
}

static int run_or(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(call->inputs[0].whole || call->inputs[1].whole));
}

static int run_not(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(!call->inputs[0].whole));
}

/* ---- strings ---- */

static int join(const struct leaf_call *call, const char *separator)
{
    struct str out = {0};
    for (size_t i = 0; i < call->input_count; i++) {
        if (i > 0)
            str_add(&out, separator);
        leaf_show(&out, &call->inputs[i]);
    }
    return leaf_give(call, leaf_take(&out, call->arena));
}

static int run_concatenate(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return join(call, "");
}

static int run_path_join(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return join(call, "/");
}

int leaf_call_format(const struct leaf_call *call, struct str *out, struct err *e)
{
    struct slice format = call->inputs[0].text;
    if (leaf_format(out, format, call->inputs + 1, call->input_count - 1, e) == 0)
        return 0;
    return err_wrap(e, "cannot format \"%s\"", leaf_excerpt(format, call->arena));
}

static int run_format(const struct leaf_call *call, struct err *e)
{
    struct str out = {0};
    if (leaf_call_format(call, &out, e) != 0) {
        str_free(&out);
        return ERR_USER;
    }
    return leaf_give(call, leaf_take(&out, call->arena));
}

const struct leaf_function leaf_operators[] = {
    {"int_plus", LEAF_AT_ONCE, run_int_plus},
    {"int_minus", LEAF_AT_ONCE, run_int_minus},
    {"int_times", LEAF_AT_ONCE, run_int_times},
    {"int_divide", LEAF_AT_ONCE, run_int_divide},
    {"int_remainder", LEAF_AT_ONCE, run_int_remainder},
    {"negate_int", LEAF_AT_ONCE, run_negate_int},
    {"power_int", LEAF_AT_ONCE, run_power_int},
    {"float_plus", LEAF_AT_ONCE, run_float_plus},
    {"float_minus", LEAF_AT_ONCE, run_float_minus},
    {"float_times", LEAF_AT_ONCE, run_float_times},
    {"float_divide", LEAF_AT_ONCE, run_float_divide},
    {"negate_float", LEAF_AT_ONCE, run_negate_float},
    {"power_float", LEAF_AT_ONCE, run_power_float},
    {"equal_int", LEAF_AT_ONCE, run_equal},
    {"equal_float", LEAF_AT_ONCE, run_equal},
    {"equal_string", LEAF_AT_ONCE, run_equal},
    {"equal_boolean", LEAF_AT_ONCE, run_equal},
    {"unequal_int", LEAF_AT_ONCE, run_unequal},
    {"unequal_float", LEAF_AT_ONCE, run_unequal},
    {"unequal_string", LEAF_AT_ONCE, run_unequal},
    {"unequal_boolean", LEAF_AT_ONCE, run_unequal},
    {"less_int", LEAF_AT_ONCE, run_less},
    {"less_float", LEAF_AT_ONCE, run_less},
    {"at_most_int", LEAF_AT_ONCE, run_at_most},
    {"at_most_float", LEAF_AT_ONCE, run_at_most},
    {"more_int", LEAF_AT_ONCE, run_more},
    {"more_float", LEAF_AT_ONCE, run_more},
    {"at_least_int", LEAF_AT_ONCE, run_at_least},
    {"at_least_float", LEAF_AT_ONCE, run_at_least},
    {"and", LEAF_AT_ONCE, run_and},
    {"or", LEAF_AT_ONCE, run_or},
    {"not", LEAF_AT_ONCE, run_not},
    {"concatenate", LEAF_AT_ONCE, run_concatenate},
    {"path_join", LEAF_AT_ONCE, run_path_join},
    {"format", LEAF_AT_ONCE, run_format},
    {0},
};
