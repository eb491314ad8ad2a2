/* The operators, and what needs no import. */
#include "call.h"

static const struct call_case operators[] = {
    {"int_plus(2, 3)", "5"},
    {"int_plus(9223372036854775807, 1)", "-9223372036854775808"},
    {"int_minus(-9223372036854775807, 2)", "9223372036854775807"},
    {"int_times(4611686018427387904, 4)", "0"},
    {"int_times(-3, 7)", "-21"},
    {"negate_int(5)", "-5"},
    {"int_divide(17, 5)", "3"},
    {"int_divide(-17, 5)", "-3"},
    {"int_divide(-9223372036854775808, -1)", "-9223372036854775808"},
    {"int_divide(12, 0)", "error: integer division by zero: 12 %/ 0"},
    {"int_remainder(-17, 5)", "-2"},
    {"int_remainder(7, -3)", "1"},
    {"int_remainder(-9223372036854775808, -1)", "0"},
    {"int_remainder(12, 0)", "error: integer division by zero: 12 %% 0"},
    {"float_plus(0.1, 0.2)", "0.30000000000000004"},
    {"float_minus(1.0, 0.5)", "0.5"},
    {"float_times(2.5, 4.0)", "10.0"},
    {"float_divide(3.0, 2.0)", "1.5"},
    {"float_divide(1.0, 0.0)", "Inf"},
    {"float_divide(-1.0, 0.0)", "-Inf"},
    {"negate_float(1.5)", "-1.5"},
    {"power_int(2, 3)", "8.0"},
    {"power_int(2, -1)", "0.5"},
    {"power_float(2.0, 0.5)", "1.4142135623730951"},
    {"power_float(-8.0, 0.5)", "error: -8.0 ** 0.5 is not a real number"},
    {"power_float(NaN, 2.0)", "NaN"},
    {"equal_int(1, 1)", "1"},
    {"equal_float(NaN, NaN)", "0"},
    {"equal_float(-0.0, 0.0)", "1"},
    {"equal_string(\"a\", \"a\")", "1"},
    {"equal_string(\"a\", \"ab\")", "0"},
    {"equal_boolean(true, false)", "0"},
    {"unequal_int(1, 2)", "1"},
    {"unequal_float(NaN, NaN)", "1"},
    {"unequal_string(\"a\", \"b\")", "1"},
    {"unequal_boolean(true, true)", "0"},
    {"less_int(1, 2)", "1"},
    {"less_int(2, 2)", "0"},
    {"less_float(1.0, 1.5)", "1"},
    {"less_float(NaN, 1.0)", "0"},
    {"at_most_int(2, 2)", "1"},
    {"at_most_float(NaN, 1.0)", "0"},
    {"more_int(3, 2)", "1"},
    {"more_float(1.0, NaN)", "0"},
    {"at_least_int(2, 3)", "0"},
    {"at_least_float(2.0, 2.0)", "1"},
    {"and(true, false)", "0"},
    {"or(true, false)", "1"},
    {"not(true)", "0"},
    {"concatenate(\"v=\", 3.0)", "v=3.0"},
    {"concatenate(1, \"st\")", "1st"},
    {"concatenate()", ""},
    {"path_join(\"a/\", \"/b\")", "a///b"},
    {"path_join(\"runs\", \"exp\", 1)", "runs/exp/1"},
};

static const struct call_case builtins[] = {
    {"max(3, 11)", "11"},
    {"max(2.5, -1.0)", "2.5"},
    {"min(-1, 1)", "-1"},
    {"min(0.5, 0.25)", "0.25"},
    {"xor(true, false)", "1"},
    {"xor(true, true)", "0"},
    {"ternary(true, 10, 20)", "10"},
    {"ternary(false, \"yes\", \"no\")", "no"},
    {"repr(-5)", "-5"},
    {"repr(1.50)", "1.5"},
    {"repr([1, [2, 3]])", "0 1 1 {0 2 1 3}"},
    {"boolean2string(true)", "true"},
    {"boolean2string(false)", "false"},
    {"string2int(\"  42 \")", "42"},
    {"string2int(\"ff\", 16)", "255"},
    {"string2int(\"0x1f\", 16)", "31"},
    {"string2int(\"1010\", 2)", "10"},
    {"string2int(\"1\", 37)", "error: Integer parse: the base is from 2 to 36, not 37"},
    {"string2int(\"1\", 1)", "error: Integer parse: the base is from 2 to 36, not 1"},
    {"string2int(\"abc\")",
     "error: Integer parse: 'abc' cannot be interpreted as a base 10 integer"},
    {"string2int(\"9223372036854775808\")",
     "error: Integer parse: '9223372036854775808' does not fit into 64 bits"},
    {"string2int(\"\")", "error: Integer parse: '' cannot be interpreted as a base 10 integer"},
    {"string2float(\"2.125\")", "2.125"},
    {"string2float(\" 1e3 \")", "1000.0"},
    {"string2float(\"inf\")", "Inf"},
    {"string2float(\"7\")", "7.0"},
    {"string2float(\"1.5x\")", "error: string2float(): could not convert string '1.5x' to float"},
    {"string2boolean(\"TRUE\")", "1"},
    {"string2boolean(\" no \")", "0"},
    {"string2boolean(\"on\")", "1"},
    {"string2boolean(\"of\")", "0"},
    {"string2boolean(\"y\")", "1"},
    {"string2boolean(\"F\")", "0"},
    {"string2boolean(\"0\")", "0"},
    {"string2boolean(\"-0.5\")", "1"},
    {"string2boolean(\"o\")",
     "error: string2boolean(): 'o' is neither true, yes, on nor false, no, "
     "off, nor a number"},
    {"string2boolean(\"\")", "error: string2boolean(): '' is neither true, yes, on nor false, no, "
                             "off, nor a number"},
    {"string2boolean(\"truely\")", "error: string2boolean(): 'truely' is neither true, yes, on nor "
                                   "false, no, off, nor a number"},
    {"int2float(9)", "9.0"},
    {"float2int(2.9)", "2"},
    {"float2int(-2.9)", "-2"},
    {"float2int(-9223372036854775808.0)", "-9223372036854775808"},
    {"float2int(9223372036854775808.0)",
     "error: float2int: 9.223372036854776e+18 is not an integer of 64 bits"},
    {"float2int(NaN)", "error: float2int: NaN is not an integer of 64 bits"},
    {"boolean2int(true)", "1"},
    {"propagate(1, \"a\")", ""},
    {"propagate()", ""},
    {"zero()", "0"},
    {"init_updateable(1.5)", "1.5"},
    {"cat_check(\"cat\", 2)", ""},
    {"cat_check(\"cat\", 0)", "error: cat: there is no file in the array"},
    {"turbine_workers()", "3"},
    {"adlb_servers()", "1"},
};

static const struct call_case assertions[] = {
    {"assert(true, \"fine\")", ""},
    {"assert(false, \"an argument is required\")",
     "error: Assertion failed!: an argument is required"},
    {"assertEqual(3, 3, \"m\")", ""},
    {"assertEqual(3, 4, \"m\")", "error: Assertion failed 3 != 4: m"},
    {"assertEqual(1.5, 2.0, \"m\")", "error: Assertion failed 1.5 != 2.0: m"},
    {"assertEqual(\"a\", \"b\", \"m\")", "error: Assertion failed a != b: m"},
    {"assertEqual(true, false, \"m\")", "error: Assertion failed 1 != 0: m"},
    {"assertLT(1, 2, \"m\")", ""},
    {"assertLT(2, 2, \"m\")", "error: Assertion failed 2 >= 2: m"},
    {"assertLT(NaN, 2.0, \"m\")", "error: Assertion failed NaN >= 2.0: m"},
    {"assertLTE(2, 2, \"m\")", ""},
    {"assertLTE(2.5, 2.0, \"m\")", "error: Assertion failed 2.5 > 2.0: m"},
};

static const struct call_case ranges[] = {
    {"randint(3, 4)", "3"},
    {"randint(3, 3)", "error: randint: illegal range [3, 3)"},
    {"randint(4, -1)", "error: randint: illegal range [4, -1)"},
};

/* Draws from all of a range, and nothing outside of it. */
static void test_random(void)
{
    int counts[6] = {0}, outside = 0;
    struct random random;
    struct arena arena = {0};
    struct err e = {0};
    random_seed(&random, 3, 0);
    const struct leaf_value inputs[][2] = {{leaf_whole(-2), leaf_whole(3)},
                                           {leaf_whole(INT64_MIN), leaf_whole(INT64_MAX)}};
    struct leaf_value output;
    struct leaf_call call = {.inputs = inputs[0],
                             .input_count = 2,
                             .outputs = &output,
                             .output_count = 1,
                             .arena = &arena,
                             .random = &random};
    const struct leaf_function *randint = leaf_find("randint"), *unit = leaf_find("random");
    for (int i = 0; i < 1000; i++) {
        randint->run(&call, &e);
        if (output.whole < -2 || output.whole > 2)
            outside++;
        else
            counts[output.whole + 2]++;
    }
    ok(outside == 0, "randint stays in its range");
    ok(counts[0] > 100 && counts[1] > 100 && counts[2] > 100 && counts[3] > 100 && counts[4] > 100,
       "and draws all of it");
    call.inputs = inputs[1];
    ok(randint->run(&call, &e) == 0, "the widest range is allowed");
    outside = 0;
    for (int i = 0; i < 1000; i++) {
        unit->run(&call, &e);
        outside += !(output.number > 0 && output.number < 1);
    }
    ok(outside == 0, "random is between 0 and 1");
}

static void test_find(void)
{
    ok(!leaf_find("no_such_function") && !leaf_find(""), "an unknown name is not found");
    const struct leaf_function *function = leaf_find("mallinfo");
    ok(function && strcmp(function->name, "mallinfo") == 0, "a known one is");
}

int main(void)
{
    CALL_CHECK(operators);
    CALL_CHECK(builtins);
    CALL_CHECK(assertions);
    CALL_CHECK(ranges);
    test_random();
    test_find();
    return tap_end();
}
