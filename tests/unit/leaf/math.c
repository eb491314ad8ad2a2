/* The modules `math`, `stats` and `reductions`. */
#include "call.h"

static const struct call_case functions[] = {
    {"floor(-2.5)", "-3.0"},
    {"ceil(-2.5)", "-2.0"},
    {"round(2.5)", "3.0"},
    {"round(-2.5)", "-3.0"},
    {"round(0.49999999999999994)", "0.0"},
    {"exp(0.0)", "1.0"},
    {"sqrt(2.25)", "1.5"},
    {"sqrt(-1.0)", "error: sqrt(-1.0) is not defined: the number must not be negative"},
    {"sqrt(NaN)", "NaN"},
    {"cbrt(27.0)", "3.0"},
    {"cbrt(0.001)", "0.1"},
    {"cbrt(-8.0)", "-2.0"},
    {"cbrt(0.0)", "0.0"},
    {"cbrt(inf)", "Inf"},
    {"log(1.0)", "0.0"},
    {"log(0.0)", "-Inf"},
    {"log(-1.0)", "error: log(-1.0) is not defined: the number must not be negative"},
    {"log2(32.0)", "5.0"},
    {"log10(1000.0)", "3.0"},
    {"log_base(8.0, 2.0)", "3.0"},
    {"log_base(2.0, 1.0)", "error: log(2.0, 1.0) is not defined: the base must be positive and not "
                           "1, the number positive"},
    {"log_base(2.0, -1.0)", "error: log(2.0, -1.0) is not defined: the base must be positive and "
                            "not 1, the number positive"},
    {"log_base(-2.0, 2.0)", "error: log(-2.0, 2.0) is not defined: the base must be positive and "
                            "not 1, the number positive"},
    {"sin(0.0)", "0.0"},
    {"cos(0.0)", "1.0"},
    {"tan(0.0)", "0.0"},
    {"sin(inf)", "error: sin(Inf) is not defined: the number must not be infinite"},
    {"asin(1.0)", "1.5707963267948966"},
    {"acos(1.0)", "0.0"},
    {"asin(2.0)", "error: asin(2.0) is not defined: the number must be from -1 to 1"},
    {"atan(0.0)", "0.0"},
    {"atan2(-1.0, 0.0)", "-1.5707963267948966"},
    {"abs(-9)", "9"},
    {"abs(-7.25)", "7.25"},
    {"abs(-9223372036854775808)", "-9223372036854775808"},
    {"is_nan(NaN)", "1"},
    {"is_nan(1.0)", "0"},
};

static const struct call_case statistics[] = {
    {"sum_int([1, 2, 3])", "6"},
    {"sum_int([])", "0"},
    {"sum_int([9223372036854775807, 1])", "-9223372036854775808"},
    {"sum_float([0.5, 0.25])", "0.75"},
    {"sum_float([])", "0.0"},
    {"avg([1, 2])", "1.5"},
    {"avg([0.5, 1.5])", "1.0"},
    {"avg([])", "error: avg: the array is empty"},
    {"std([2, 4, 4, 4, 5, 5, 7, 9])", "2.0"},
    {"std([1.0])", "0.0"},
    {"std([1000000001.0, 1000000003.0])", "1.0"}, /* the squares would lose all digits */
    {"std([])", "error: std: the array is empty"},
    {"stats([2, 4, 4, 4, 5, 5, 7, 9])", "5.0 | 2.0"},
    {"stats([])", "error: stats: the array is empty"},
    {"statagg([1, 2, 3, 4])", "4 | 2.5 | 5.0"},
    {"statagg([])", "0 | 0.0 | 0.0"},
    {"stat_combine([<4, 2.5, 5.0>])", "4 | 2.5 | 1.118033988749895"},
    {"stat_combine([<2, 1.5, 0.5>, <0, 0.0, 0.0>, <2, 3.5, 0.5>])", "4 | 2.5 | 1.118033988749895"},
    {"stat_combine([])", "error: stat_combine: the array is empty"},
    {"stat_combine([<0, 0.0, 0.0>])", "error: stat_combine: the array is empty"},
    {"stat_combine([<-1, 0.0, 0.0>])", "error: stat_combine: n is -1 in one of the structs"},
};

static const struct call_case reductions[] = {
    {"array_max_float([1.5, -2.0])", "1.5"},
    {"array_min_float([1.5, -2.0])", "-2.0"},
    {"array_max_float([])", "-Inf"},
    {"array_min_float([])", "Inf"},
    {"array_max_float([1.0, NaN, 2.0])", "NaN"},
    {"reduce_sum_integer([[1, 2], [10, 20], {1: 100, 7: 5}])", "0 11 1 122 7 5"},
    {"reduce_sum_integer([])", ""},
    {"reduce_sum_integer([[], []])", ""},
    {"reduce_splice_string([{3: \"c\"}, {1: \"a\", 2: \"b\"}, {2: \"b\"}])", "1 a 2 b 3 c"},
    {"reduce_splice_string([{2: \"b\"}, {2: \"x\"}])",
     "error: reduce_splice_string: member 2 is both 'b' and 'x'"},
};

int main(void)
{
    CALL_CHECK(functions);
    CALL_CHECK(statistics);
    CALL_CHECK(reductions);
    return tap_end();
}
