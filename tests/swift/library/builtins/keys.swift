// keys_string() and keys_integer() give the keys with new keys from 0.
// expect: trace: 2,9
// expect: trace: 2,ab
import stats;
import string;
int a[];
a[-1] = 5;
a[10] = 6;
trace(size(keys_integer(a)), sum(keys_integer(a)));
string k[] = keys_string({ "a": 1, "b": 2 });
trace(size(k), ternary_string(k[0] == "a", k[0] + k[1], k[1] + k[0]));
