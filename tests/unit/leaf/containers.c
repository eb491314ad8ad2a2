/* Arrays and bags: sizes, keys, ranges, and members picked by their keys. */
#include "call.h"

static const struct call_case sizes[] = {
    {"size([])", "0"},         {"size([4, 5, 6])", "3"},          {"size({-3: 1, 7: 2})", "2"},
    {"size({\"a\": 1})", "1"}, {"bag_size([\"x\", \"x\"])", "2"},
};

static const struct call_case keys[] = {
    {"contains({\"cake\": 4, \"tea\": 2}, \"cake\")", "1"},
    {"contains({\"cake\": 4, \"tea\": 2}, \"pie\")", "0"},
    {"contains([7, 8], 1)", "1"},
    {"contains([7, 8], 2)", "0"},
    {"contains([7, 8], -1)", "0"},
    {"contains([], 0)", "0"},
    {"contains({2.0: 1}, 2.0)", "1"},
    {"contains({true: 1}, false)", "0"},
    {"keys_integer({5: \"a\", -2: \"b\"})", "0 -2 1 5"},
    {"keys_integer([])", ""},
    {"keys_string({5: \"a\", -2: \"b\"})", "0 -2 1 5"},
    {"keys_string({\"b\": 1, \"a\": 2})", "0 a 1 b"},
    {"keys_string({0.5: 1})", "0 0.5"},
    {"array_repr({3: 1.5, 1: 2.0})", "1 2.0 3 1.5"},
    {"array_repr({\"k\": [1, 2]})", "k 0 1 1 2"},
    {"array_repr([true])", "0 1"},
};

#define MANY "more than 50000000 members: loop over a range literal instead, as in foreach i in "

static const struct call_case ranges[] = {
    {"range(3, 6)", "0 3 1 4 2 5 3 6"},
    {"range(3, 3)", "0 3"},
    {"range(4, 3)", ""},
    {"range_step(1, 10, 4)", "0 1 1 5 2 9"},
    {"range_step(1, 9, 4)", "0 1 1 5 2 9"},
    {"range_step(5, 1, -1)", ""},
    {"range_step(1, 5, -1)", ""},
    {"range_step(1, 5, 0)", "error: range_step: the step is 0"},
    {"range_step(-9223372036854775807, 9223372036854775807, 9223372036854775807)",
     "0 -9223372036854775807 1 0 2 9223372036854775807"},
    {"range(-9223372036854775807, 9223372036854775807)",
     "error: range: the array would have " MANY "[a:b], which keeps none of them"},
    {"range(1, 50000001)",
     "error: range: the array would have " MANY "[a:b], which keeps none of them"},
    {"range_float(0.5, 2.75)", "0 0.5 1 1.5 2 2.5"},
    {"range_float_step(0.0, 1.0, 0.25)", "0 0.0 1 0.25 2 0.5 3 0.75 4 1.0"},
    {"range_float_step(0.0, 1.0, 0.1)",
     "0 0.0 1 0.1 2 0.2 3 0.30000000000000004 4 0.4 5 0.5 6 0.6000000000000001 "
     "7 0.7000000000000001 8 0.8 9 0.9 10 1.0"},
    {"range_float_step(1.0, 0.0, 0.1)", ""},
    {"range_float_step(1.0, 2.0, -0.5)", ""},
    {"range_float_step(nan, 2.0, 0.5)", ""},
    {"range_float_step(0.0, 2.0, 0.0)", "error: range_float_step: the step is 0"},
    {"range_float_step(0.0, 2.0, nan)", "error: range_float_step: the step is nan"},
    {"range_float_step(0.0, 2.0, 1e-300)",
     "error: range_float_step: the array would have " MANY "[a:b], which keeps none of them"},
    {"range_float_step(0.0, 2.0, inf)", "error: range_float_step: the step is inf"},
    {"range_float(0.0, inf)",
     "error: range_float: the array would have " MANY "[a:b], which keeps none of them"},
};

static const struct call_case picks[] = {
    {"pick_stable_integer_string([\"a\", \"b\", \"c\"], [2, 0, 2])", "0 c 1 a 2 c"},
    {"pick_stable_integer_string({10: \"a\", 20: \"b\"}, [20])", "0 b"},
    {"pick_stable_integer_string([\"a\"], [])", ""},
    {"pick_integer_string([\"a\", \"b\"], [1])", "0 b"},
    {"pick_integer_string([\"a\", \"b\"], [1, 2])",
     "error: pick_integer_string: the array has no member 2"},
};

/* What is inside of a range ends where a loop over the same range would end. */
static void test_float_ends(void)
{
    struct random random;
    struct arena arena = {0};
    int wrong = 0;
    random_seed(&random, 5, 0);
    for (int i = 0; i < 2000; i++) {
        double start = random_unit(&random), step = random_unit(&random) / 10 + 1e-3;
        double end = start + (double)random_below(&random, 50) * step;
        const struct leaf_value inputs[] = {leaf_number(start), leaf_number(end),
                                            leaf_number(step)};
        struct leaf_value output;
        struct leaf_call call = {
            .inputs = inputs, .input_count = 3, .outputs = &output, .arena = &arena};
        struct err e = {0};
        leaf_find("range_float_step")->run(&call, &e);
        size_t count = 0;
        while (start + (double)count * step <= end)
            count++;
        wrong += output.members->count != count;
        arena_free(&arena);
    }
    ok(wrong == 0, "2000 ranges of floats have all members up to their ends, and no more");
}

int main(void)
{
    CALL_CHECK(sizes);
    CALL_CHECK(keys);
    CALL_CHECK(ranges);
    CALL_CHECK(picks);
    test_float_ends();
    return tap_end();
}
