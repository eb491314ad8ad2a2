// keys_string() also takes int keys.
// expect: trace: 7
int a[];
a[7] = 1;
string k[] = keys_string(a);
trace(k[0]);
