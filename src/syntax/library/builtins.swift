// What needs no import. The types external and location, and HARD, SOFT, RANK and NODE, are known
// to the compiler itself.

// Output

(void o) trace(int|float|string|boolean... v) "wick" "1" "trace";

// Arithmetic and logic

@pure (int o) max(int a, int b) "wick" "1" "max";
@pure (float o) max(float a, float b) "wick" "1" "max";
@pure (int o) max_integer(int a, int b) "wick" "1" "max";
@pure (float o) max_float(float a, float b) "wick" "1" "max";
@pure (int o) min(int a, int b) "wick" "1" "min";
@pure (float o) min(float a, float b) "wick" "1" "min";
@pure (int o) min_integer(int a, int b) "wick" "1" "min";
@pure (float o) min_float(float a, float b) "wick" "1" "min";
@pure (float o) pow(int base, int exponent) "wick" "1" "power_int";
@pure (float o) pow(float base, float exponent) "wick" "1" "power_float";
@pure (float o) pow_integer(int base, int exponent) "wick" "1" "power_int";
@pure (float o) pow_float(float base, float exponent) "wick" "1" "power_float";
@pure (boolean o) xor(boolean a, boolean b) "wick" "1" "xor";
@pure (int o) ternary(boolean condition, int a, int b) "wick" "1" "ternary";
@pure (int o) ternary_integer(boolean condition, int a, int b) "wick" "1" "ternary";
@pure (string o) ternary_string(boolean condition, string a, string b) "wick" "1" "ternary";

// Strings and conversions

@pure (string o) strcat(string|int|float... v) "wick" "1" "concatenate";
@pure (int o) length(string s) "wick" "1" "strlen";
@pure (string o) dircat(string... parts) "wick" "1" "path_join";
@pure (string o) __sprintf_op__(string format, int|float|string|boolean... v) "wick" "1" "format";

@pure (string o) int2string(int i) "wick" "1" "repr";
@pure (string o) fromint(int i) "wick" "1" "repr";
@pure (string o) float2string(float f) "wick" "1" "repr";
@pure (string o) fromfloat(float f) "wick" "1" "repr";
@pure (string o) bool2string(boolean b) "wick" "1" "boolean2string";
@pure (string o) boolean2string(boolean b) "wick" "1" "boolean2string";
@pure (string o) toString(int i) "wick" "1" "repr";
@pure (string o) toString(float f) "wick" "1" "repr";
@pure (string o) toString(boolean b) "wick" "1" "boolean2string";

@pure (int o) string2int(string s, int base=10) "wick" "1" "string2int";
@pure (int o) parseInt(string s, int base=10) "wick" "1" "string2int";
@pure (int o) toint(string s) "wick" "1" "string2int";
@pure (float o) string2float(string s) "wick" "1" "string2float";
@pure (float o) tofloat(string s) "wick" "1" "string2float";
@pure (float o) parseFloat(string s) "wick" "1" "string2float";
@pure (boolean o) string2bool(string s) "wick" "1" "string2boolean";
@pure (boolean o) string2boolean(string s) "wick" "1" "string2boolean";

@pure (float o) int2float(int i) "wick" "1" "int2float";
@pure (float o) itof(int i) "wick" "1" "int2float";
@pure (float o) toFloat(int i) "wick" "1" "int2float";
@pure (int o) float2int(float f) "wick" "1" "float2int";
@pure (int o) ftoi(float f) "wick" "1" "float2int";
@pure (int o) toInt(float f) "wick" "1" "float2int";
@pure (int o) bool2int(boolean b) "wick" "1" "boolean2int";

@pure <T> (string o) repr(T v) "wick" "1" "repr";
@pure <K, T> (string o[K]) array_repr(T A[K]) "wick" "1" "array_repr";

// Containers

@pure <K, T> (int o) size(T A[K]) "wick" "1" "size";
@pure <K, V> (boolean o) contains(V A[K], K key) "wick" "1" "contains";
<K, V> (boolean o) exists(V A[K], K key) "wick" "1" "exists";
@pure <T> (int o) bag_size(bag<T> b) "wick" "1" "bag_size";
@pure <T> (int o) bagSize(bag<T> b) "wick" "1" "bag_size";
@pure <K, T> (string o[]) keys_string(T A[K]) "wick" "1" "keys_string";
@pure <T> (int o[]) keys_integer(T A[]) "wick" "1" "keys_integer";
@pure (int o[]) range(int first, int last) "wick" "1" "range";
@pure (int o[]) range_step(int first, int last, int step) "wick" "1" "range_step";
@pure (float o[]) range_float(float first, float last) "wick" "1" "range_float";
@pure (float o[]) range_float_step(float first, float last, float step)
    "wick" "1" "range_float_step";
@pure (string o[]) pick_integer_string(string A[], int keys[]) "wick" "1" "pick_integer_string";
@pure (string o[]) pick_stable_integer_string(string A[], int keys[])
    "wick" "1" "pick_stable_integer_string";

// Control

@pure (void o) propagate(int|float|string|boolean|void|file|url|blob... v) "wick" "1" "propagate";
@pure (void o) make_void(int|float|string|boolean|void|file|url|blob... v) "wick" "1" "propagate";
@pure (void o) makeVoid(int|float|string|boolean|void|file|url|blob... v) "wick" "1" "propagate";
@pure (int o) zero(void v) "wick" "1" "zero";
(updateable_float o) init_updateable(float f) "wick" "1" "init_updateable";

// Files

(string o) filename(file f) "wick" "1" "filename";
@dispatch=WORKER (file o) input(string path) "wick" "1" "input";
@dispatch=WORKER (file o) input_file(string path) "wick" "1" "input_file";
(url o) input_url(string path) "wick" "1" "input_url";
(string o) urlname(url u) "wick" "1" "urlname";

// The run

(int o) turbine_workers() "wick" "1" "turbine_workers";
(int o) adlb_servers() "wick" "1" "adlb_servers";
(int o) turbine_engines() "wick" "1" "zero";
(int o) mallinfo(void v) "wick" "1" "mallinfo";
