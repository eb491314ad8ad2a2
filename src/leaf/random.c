/* random.c - the module `random`. Each worker has a generator of its own. */
#include "leaf/modules.h"

static int run_random(const struct leaf_call *call, struct err *e)
{
    (void)e;
    double number;
    do
        number = random_unit(call->random);
    while (number == 0);
    return leaf_give(call, leaf_number(number));
}

static int run_randint(const struct leaf_call *call, struct err *e)
{
    int64_t low = call->inputs[0].whole, high = call->inputs[1].whole;
    if (low >= high)
        return err_set(e, ERR_USER, "randint: illegal range [%lld, %lld)", (long long)low,
                       (long long)high);
    uint64_t above = random_below(call->random, (uint64_t)high - (uint64_t)low);
    return leaf_give(call, leaf_whole((int64_t)((uint64_t)low + above)));
}

const struct leaf_function leaf_random[] = {
    {"random", LEAF_AT_ONCE, run_random},
    {"randint", LEAF_AT_ONCE, run_randint},
    {0},
};
