// Also as outputs.
// ranks: 2 4
// expect: trace: 2,3,2
int d[string][] = group([1, 2, 3, 4, 5]);
trace(size(d), size(d["odd"]), size(d["even"]));
(int o[string][]) group(int v[])
{
  foreach x, i in v {
    if (x %% 2 == 1) { o["odd"][i] = x; } else { o["even"][i] = x; }
  }
}
