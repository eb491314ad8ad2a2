/* math.c - the module `math`. */
#include "leaf/modules.h"

#include <math.h>

/* Sets the output; a NaN that came of no NaN is a mistake. `domain`: what the inputs must be. */
static int give(const struct leaf_call *call, double result, const char *name, const char *domain,
                struct err *e)
{
    struct str inputs = {0};
    bool expected = !isnan(result);
    for (size_t i = 0; i < call->input_count; i++) {
        expected |= isnan(call->inputs[i].number);
        if (!expected) {
            str_add(&inputs, i > 0 ? ", " : "");
            leaf_show_number(&inputs, call->inputs[i].number);
        }
    }
    if (!expected)
        err_set(e, ERR_USER, "%s(%s) is not defined: %s", name, str_text(&inputs), domain);
    str_free(&inputs);
    return expected ? leaf_give(call, leaf_number(result)) : ERR_USER;
}

/* A function that has a result for every number, or gives NaN for NaN alone. */
static int give_simple(const struct leaf_call *call, double (*function)(double))
{
    return leaf_give(call, leaf_number(function(call->inputs[0].number)));
}

static int run_floor(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_simple(call, floor);
}

static int run_ceil(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_simple(call, ceil);
}

static int run_round(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_simple(call, round);
}

static int run_exp(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_simple(call, exp);
}

static int run_atan(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_simple(call, atan);
}

/* cbrt() gives 3.0000000000000004 for 27: more digits are needed on the way. */
static double cube_root(double number)
{
    return (double)cbrtl((long double)number);
}

static int run_cbrt(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_simple(call, cube_root);
}

static int run_atan2(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(atan2(call->inputs[0].number, call->inputs[1].number)));
}

/* ---- functions of some numbers only ---- */

static const char not_negative[] = "the number must not be negative";
static const char not_infinite[] = "the number must not be infinite";
static const char from_minus_one[] = "the number must be from -1 to 1";

static int run_sqrt(const struct leaf_call *call, struct err *e)
{
    return give(call, sqrt(call->inputs[0].number), "sqrt", not_negative, e);
}

static int run_log(const struct leaf_call *call, struct err *e)
{
    return give(call, log(call->inputs[0].number), "log", not_negative, e);
}

static int run_log2(const struct leaf_call *call, struct err *e)
{
    return give(call, log2(call->inputs[0].number), "log2", not_negative, e);
}

static int run_log10(const struct leaf_call *call, struct err *e)
{
    return give(call, log10(call->inputs[0].number), "log10", not_negative, e);
}

static int run_log_base(const struct leaf_call *call, struct err *e)
{
    double base = call->inputs[1].number;
    double result = base > 0 && base != 1 ? log(call->inputs[0].number) / log(base) : NAN;
    return give(call, result, "log", "the base must be positive and not 1, the number positive", e);
}

static int run_sin(const struct leaf_call *call, struct err *e)
{
    return give(call, sin(call->inputs[0].number), "sin", not_infinite, e);
}

static int run_cos(const struct leaf_call *call, struct err *e)
{
    return give(call, cos(call->inputs[0].number), "cos", not_infinite, e);
}

static int run_tan(const struct leaf_call *call, struct err *e)
{
    return give(call, tan(call->inputs[0].number), "tan", not_infinite, e);
}

static int run_asin(const struct leaf_call *call, struct err *e)
{
    return give(call, asin(call->inputs[0].number), "asin", from_minus_one, e);
}

static int run_acos(const struct leaf_call *call, struct err *e)
{
    return give(call, acos(call->inputs[0].number), "acos", from_minus_one, e);
}

/* ---- the rest ---- */

static int run_abs(const struct leaf_call *call, struct err *e)
{
    (void)e;
    const struct leaf_value *value = &call->inputs[0];
    if (value->kind == LEAF_FLOAT)
        return leaf_give(call, leaf_number(fabs(value->number)));
    uint64_t whole = (uint64_t)value->whole; /* the smallest int stays as it is */
    return leaf_give(call, leaf_whole((int64_t)(value->whole < 0 ? 0 - whole : whole)));
}

static int run_is_nan(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(isnan(call->inputs[0].number)));
}

const struct leaf_function leaf_math[] = {
    {"floor", LEAF_AT_ONCE, run_floor},   {"ceil", LEAF_AT_ONCE, run_ceil},
    {"round", LEAF_AT_ONCE, run_round},   {"exp", LEAF_AT_ONCE, run_exp},
    {"sqrt", LEAF_AT_ONCE, run_sqrt},     {"cbrt", LEAF_AT_ONCE, run_cbrt},
    {"log", LEAF_AT_ONCE, run_log},       {"log2", LEAF_AT_ONCE, run_log2},
    {"log10", LEAF_AT_ONCE, run_log10},   {"log_base", LEAF_AT_ONCE, run_log_base},
    {"sin", LEAF_AT_ONCE, run_sin},       {"cos", LEAF_AT_ONCE, run_cos},
    {"tan", LEAF_AT_ONCE, run_tan},       {"asin", LEAF_AT_ONCE, run_asin},
    {"acos", LEAF_AT_ONCE, run_acos},     {"atan", LEAF_AT_ONCE, run_atan},
    {"atan2", LEAF_AT_ONCE, run_atan2},   {"abs", LEAF_AT_ONCE, run_abs},
    {"is_nan", LEAF_AT_ONCE, run_is_nan}, {0},
};
