/* reductions.c - the module `reductions`. */
#include "leaf/modules.h"

#include <math.h>

/* The largest member, or the smallest if `sign` is -1; an infinity if there is none. */
static double extreme(const struct leaf_value *array, double sign)
{
    double most = -INFINITY;
    for (size_t i = 0; i < array->members->count; i++) {
        double number = sign * array->members->items[i].value.number;
        if (number > most || isnan(number))
            most = number;
    }
    return sign * most;
}

static int run_array_max_float(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(extreme(&call->inputs[0], 1)));
}

static int run_array_min_float(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(extreme(&call->inputs[0], -1)));
}

/* The members of all rows as one array, sorted by key, which several of them may share. */
static size_t join_rows(const struct leaf_call *call, struct leaf_member **items)
{
    const struct leaf_members *rows = call->inputs[0].members;
    size_t count = 0, at = 0;
    for (size_t i = 0; i < rows->count; i++)
        count += rows->items[i].value.members->count;
    *items = leaf_array_start(&call->outputs[0], count, call->arena);
    for (size_t i = 0; i < rows->count; i++) {
        const struct leaf_members *row = rows->items[i].value.members;
        for (size_t j = 0; j < row->count; j++)
            (*items)[at++] = row->items[j];
    }
    leaf_sort(*items, count);
    return count;
}

static bool same_key(const struct leaf_member *a, const struct leaf_member *b)
{
    return leaf_compare(&a->key, &b->key) == 0;
}

static int run_reduce_sum_integer(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct leaf_member *items;
    size_t count = join_rows(call, &items), done = 0;
    for (size_t i = 0; i < count; i++) {
        if (done == 0 || !same_key(&items[done - 1], &items[i])) {
            items[done++] = items[i];
            continue;
        }
        uint64_t sum = (uint64_t)items[done - 1].value.whole + (uint64_t)items[i].value.whole;
        items[done - 1].value.whole = (int64_t)sum;
    }
    leaf_array_cut(&call->outputs[0], done);
    return 0;
}

static int run_reduce_splice_string(const struct leaf_call *call, struct err *e)
{
    struct leaf_member *items;
    size_t count = join_rows(call, &items), done = 0;
    for (size_t i = 0; i < count; i++) {
        const struct leaf_member *last = done > 0 ? &items[done - 1] : NULL;
        if (!last || !same_key(last, &items[i]))
            items[done++] = items[i];
        else if (!slice_equal(last->value.text, items[i].value.text))
            return err_set(e, ERR_USER, "reduce_splice_string: member %lld is both '%s' and '%s'",
                           (long long)last->key.whole, leaf_excerpt(last->value.text, call->arena),
                           leaf_excerpt(items[i].value.text, call->arena));
    }
    leaf_array_cut(&call->outputs[0], done);
    return 0;
}

const struct leaf_function leaf_reductions[] = {
    {"array_max_float", LEAF_AT_ONCE, run_array_max_float},
    {"array_min_float", LEAF_AT_ONCE, run_array_min_float},
    {"reduce_sum_integer", LEAF_AT_ONCE, run_reduce_sum_integer},
    {"reduce_splice_string", LEAF_AT_ONCE, run_reduce_splice_string},
    {0},
};
