/* assert.c - the module `assert`. */
#include "leaf/modules.h"

static int run_assert(const struct leaf_call *call, struct err *e)
{
    if (call->inputs[0].whole)
        return 0;
    return err_set(e, ERR_USER, "Assertion failed!: %s",
                   leaf_excerpt(call->inputs[1].text, call->arena));
}

static const char *shown(const struct leaf_value *value, struct arena *arena)
{
    struct str text = {0};
    leaf_show(&text, value);
    const char *excerpt = leaf_excerpt((struct slice){str_text(&text), text.length}, arena);
    str_free(&text);
    return excerpt;
}

/* The relation that an assertion of two values found instead of the one that it wants. */
static int failed(const struct leaf_call *call, const char *relation, struct err *e)
{
    return err_set(e, ERR_USER, "Assertion failed %s %s %s: %s",
                   shown(&call->inputs[0], call->arena), relation,
                   shown(&call->inputs[1], call->arena),
                   leaf_excerpt(call->inputs[2].text, call->arena));
}

static int run_assert_equal(const struct leaf_call *call, struct err *e)
{
    return leaf_equal(&call->inputs[0], &call->inputs[1]) ? 0 : failed(call, "!=", e);
}

static int run_assert_less(const struct leaf_call *call, struct err *e)
{
    return leaf_less(&call->inputs[0], &call->inputs[1]) ? 0 : failed(call, ">=", e);
}

static int run_assert_at_most(const struct leaf_call *call, struct err *e)
{
    return leaf_at_most(&call->inputs[0], &call->inputs[1]) ? 0 : failed(call, ">", e);
}

const struct leaf_function leaf_assert[] = {
    {"assert", LEAF_AT_ONCE, run_assert},
    {"assertEqual", LEAF_AT_ONCE, run_assert_equal},
    {"assertLT", LEAF_AT_ONCE, run_assert_less},
    {"assertLTE", LEAF_AT_ONCE, run_assert_at_most},
    {0},
};
