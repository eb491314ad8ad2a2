// Literals whose parts are calls that return arrays.
// ranks: 2 4
// expect: trace: 2,3,2,1
int a[][] = [f(1), f(2)];
int d[string][] = { "a": f(1), "b": [1] };
trace(size(a), size(a[1]), size(d["a"]), size(d["b"]));
(int o[]) f(int n) { foreach i in [0:n] { o[i] = i; } }
