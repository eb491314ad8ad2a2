/* containers.c - sizes and keys of arrays and bags, ranges, and members by their keys. */
#include "leaf/modules.h"

#include <math.h>

/* ---- sizes and keys ---- */

static int run_size(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole((int64_t)call->inputs[0].members->count));
}

static int run_contains(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_truth(leaf_member(&call->inputs[0], &call->inputs[1]) != NULL));
}

static struct leaf_value shown(const struct leaf_call *call, const struct leaf_value *value)
{
    struct str text = {0};
    leaf_show(&text, value);
    return leaf_take(&text, call->arena);
}

static int run_keys_string(const struct leaf_call *call, struct err *e)
{
    (void)e;
    const struct leaf_members *from = call->inputs[0].members;
    struct leaf_member *to =
        leaf_list_start(&call->outputs[0], LEAF_ARRAY, from->count, call->arena);
    for (size_t i = 0; i < from->count; i++)
        to[i].value = shown(call, &from->items[i].key);
    return 0;
}

static int run_keys_integer(const struct leaf_call *call, struct err *e)
{
    (void)e;
    const struct leaf_members *from = call->inputs[0].members;
    struct leaf_member *to =
        leaf_list_start(&call->outputs[0], LEAF_ARRAY, from->count, call->arena);
    for (size_t i = 0; i < from->count; i++)
        to[i].value = from->items[i].key;
    return 0;
}

static int run_array_repr(const struct leaf_call *call, struct err *e)
{
    const struct leaf_members *from = call->inputs[0].members;
    struct leaf_member *to = leaf_array_start(&call->outputs[0], from->count, call->arena);
    for (size_t i = 0; i < from->count; i++)
        to[i] = (struct leaf_member){from->items[i].key, shown(call, &from->items[i].value)};
    return leaf_array_end(&call->outputs[0], e);
}

/* ---- ranges ---- */

enum { RANGE_LIMIT = 50000000 }; /* members */

static int too_long(const char *name, struct err *e)
{
    return err_set(e, ERR_USER,
                   "%s: the array would have more than %d members: loop over a range literal "
                   "instead, as in foreach i in [a:b], which keeps none of them",
                   name, RANGE_LIMIT);
}

static int fill_whole(const struct leaf_call *call, const char *name, int64_t step, struct err *e)
{
    int64_t start = call->inputs[0].whole, end = call->inputs[1].whole;
    if (step == 0)
        return err_set(e, ERR_USER, "%s: the step is 0", name);
    bool empty = step < 0 || start > end;
    /* Unsigned, because the difference may be larger than any int. */
    uint64_t steps = empty ? 0 : ((uint64_t)end - (uint64_t)start) / (uint64_t)step;
    if (steps >= RANGE_LIMIT)
        return too_long(name, e);
    size_t count = empty ? 0 : (size_t)steps + 1;
    struct leaf_member *items = leaf_list_start(&call->outputs[0], LEAF_ARRAY, count, call->arena);
    for (size_t i = 0; i < count; i++)
        items[i].value = leaf_whole((int64_t)((uint64_t)start + i * (uint64_t)step));
    return 0;
}

/* Member k is start + k * step, so that rounding errors do not add up. */
static int fill_number(const struct leaf_call *call, const char *name, double step, struct err *e)
{
    double start = call->inputs[0].number, end = call->inputs[1].number;
    if (step == 0 || !isfinite(step))
        return err_set(e, ERR_USER, "%s: the step is %g", name, step);
    bool empty = step < 0 || !(start <= end);
    double steps = empty ? 0 : floor((end - start) / step);
    if (!(steps < RANGE_LIMIT - 1))
        return too_long(name, e);
    /* The quotient may have been rounded to or from a whole number. */
    if (start + (steps + 1) * step <= end)
        steps++;
    else if (start + steps * step > end)
        steps--;
    size_t count = empty ? 0 : (size_t)(steps + 1);
    struct leaf_member *items = leaf_list_start(&call->outputs[0], LEAF_ARRAY, count, call->arena);
    for (size_t i = 0; i < count; i++)
        items[i].value = leaf_number(start + (double)i * step);
    return 0;
}

static int run_range(const struct leaf_call *call, struct err *e)
{
    return fill_whole(call, "range", 1, e);
}

static int run_range_step(const struct leaf_call *call, struct err *e)
{
    return fill_whole(call, "range_step", call->inputs[2].whole, e);
}

static int run_range_float(const struct leaf_call *call, struct err *e)
{
    return fill_number(call, "range_float", 1, e);
}

static int run_range_float_step(const struct leaf_call *call, struct err *e)
{
    return fill_number(call, "range_float_step", call->inputs[2].number, e);
}

/* ---- members by their keys ---- */

static int pick(const struct leaf_call *call, const char *name, struct err *e)
{
    const struct leaf_members *wanted = call->inputs[1].members;
    struct leaf_member *to = leaf_array_start(&call->outputs[0], wanted->count, call->arena);
    for (size_t i = 0; i < wanted->count; i++) {
        const struct leaf_value *found = leaf_member(&call->inputs[0], &wanted->items[i].value);
        if (!found)
            return err_set(e, ERR_USER, "%s: the array has no member %lld", name,
                           (long long)wanted->items[i].value.whole);
        to[i] = (struct leaf_member){wanted->items[i].key, *found};
    }
    return leaf_array_end(&call->outputs[0], e);
}

static int run_pick_integer_string(const struct leaf_call *call, struct err *e)
{
    return pick(call, "pick_integer_string", e);
}

static int run_pick_stable_integer_string(const struct leaf_call *call, struct err *e)
{
    return pick(call, "pick_stable_integer_string", e);
}

const struct leaf_function leaf_containers[] = {
    {"size", LEAF_AT_ONCE, run_size},
    {"bag_size", LEAF_AT_ONCE, run_size},
    {"contains", LEAF_AT_ONCE, run_contains},
    {"keys_string", LEAF_AT_ONCE, run_keys_string},
    {"keys_integer", LEAF_AT_ONCE, run_keys_integer},
    {"array_repr", LEAF_AT_ONCE, run_array_repr},
    {"range", LEAF_AT_ONCE, run_range},
    {"range_step", LEAF_AT_ONCE, run_range_step},
    {"range_float", LEAF_AT_ONCE, run_range_float},
    {"range_float_step", LEAF_AT_ONCE, run_range_float_step},
    {"pick_integer_string", LEAF_AT_ONCE, run_pick_integer_string},
    {"pick_stable_integer_string", LEAF_AT_ONCE, run_pick_stable_integer_string},
    {0},
};
