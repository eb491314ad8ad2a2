/* stats.c - the module `stats`. */
#include "leaf/modules.h"

#include <math.h>

/* What is known of a sample. The mean is the one of all its numbers, and M2 their squared distance
 * from it. */
struct sample {
    double count, mean, squares;
};

static double number_of(const struct leaf_value *value)
{
    return value->kind == LEAF_INT ? (double)value->whole : value->number;
}

/* Welford 1962: one pass, and no loss of digits where the mean is large. */
static struct sample sample_of(const struct leaf_members *members)
{
    struct sample sample = {0};
    for (size_t i = 0; i < members->count; i++) {
        double number = number_of(&members->items[i].value), distance = number - sample.mean;
        sample.count++;
        sample.mean += distance / sample.count;
        sample.squares += distance * (number - sample.mean);
    }
    return sample;
}

/* Chan, Golub and LeVeque 1979: two samples as one. */
static struct sample combine(struct sample a, struct sample b)
{
    struct sample both = {.count = a.count + b.count};
    if (both.count == 0)
        return both;
    double distance = b.mean - a.mean, share = b.count / both.count;
    both.mean = a.mean + distance * share;
    both.squares = a.squares + b.squares + distance * distance * a.count * share;
    return both;
}

static double deviation(struct sample sample)
{
    return sqrt(fmax(sample.squares, 0) / sample.count);
}

static int empty(const char *name, struct err *e)
{
    return err_set(e, ERR_USER, "%s: the array is empty", name);
}

static int run_sum_int(const struct leaf_call *call, struct err *e)
{
    (void)e;
    const struct leaf_members *members = call->inputs[0].members;
    uint64_t sum = 0; /* it wraps, as + does */
    for (size_t i = 0; i < members->count; i++)
        sum += (uint64_t)members->items[i].value.whole;
    return leaf_give(call, leaf_whole((int64_t)sum));
}

static double sum_of(const struct leaf_members *members)
{
    double sum = 0;
    for (size_t i = 0; i < members->count; i++)
        sum += number_of(&members->items[i].value);
    return sum;
}

static int run_sum_float(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(sum_of(call->inputs[0].members)));
}

static int run_avg(const struct leaf_call *call, struct err *e)
{
    const struct leaf_members *members = call->inputs[0].members;
    if (members->count == 0)
        return empty("avg", e);
    return leaf_give(call, leaf_number(sum_of(members) / (double)members->count));
}

static int run_std(const struct leaf_call *call, struct err *e)
{
    struct sample sample = sample_of(call->inputs[0].members);
    if (sample.count == 0)
        return empty("std", e);
    return leaf_give(call, leaf_number(deviation(sample)));
}

static int run_stats(const struct leaf_call *call, struct err *e)
{
    struct sample sample = sample_of(call->inputs[0].members);
    if (sample.count == 0)
        return empty("stats", e);
    call->outputs[0] = leaf_number(sample.mean);
    call->outputs[1] = leaf_number(deviation(sample));
    return 0;
}

static int run_statagg(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct sample sample = sample_of(call->inputs[0].members);
    call->outputs[0] = leaf_whole((int64_t)sample.count);
    call->outputs[1] = leaf_number(sample.mean);
    call->outputs[2] = leaf_number(sample.squares);
    return 0;
}

/* The fields of a PartialStats. */
enum { FIELD_N, FIELD_MEAN, FIELD_M2 };

static int run_stat_combine(const struct leaf_call *call, struct err *e)
{
    struct sample all = {0};
    const struct leaf_members *parts = call->inputs[0].members;
    for (size_t i = 0; i < parts->count; i++) {
        const struct leaf_member *fields = parts->items[i].value.members->items;
        struct sample part = {.count = number_of(&fields[FIELD_N].value),
                              .mean = number_of(&fields[FIELD_MEAN].value),
                              .squares = number_of(&fields[FIELD_M2].value)};
        if (part.count < 0)
            return err_set(e, ERR_USER, "stat_combine: n is %.0f in one of the structs",
                           part.count);
        all = combine(all, part);
    }
    if (all.count == 0)
        return empty("stat_combine", e);
    call->outputs[0] = leaf_whole((int64_t)all.count);
    call->outputs[1] = leaf_number(all.mean);
    call->outputs[2] = leaf_number(deviation(all));
    return 0;
}

const struct leaf_function leaf_stats[] = {
    {"sum_int", LEAF_AT_ONCE, run_sum_int},
    {"sum_float", LEAF_AT_ONCE, run_sum_float},
    {"avg", LEAF_AT_ONCE, run_avg},
    {"std", LEAF_AT_ONCE, run_std},
    {"stats", LEAF_AT_ONCE, run_stats},
    {"statagg", LEAF_AT_ONCE, run_statagg},
    {"stat_combine", LEAF_AT_ONCE, run_stat_combine},
    {0},
};
