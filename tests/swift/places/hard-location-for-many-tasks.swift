// Also if there are many, and other workers are idle.
// ranks: 4
// expect: trace: 8,1
import files;
import location;
string ranks[];
location l = locationFromRank(2);
foreach i in [1:8] { ranks[i] = read(@location=l where()); }
int seen[string];
trace(size(ranks), size(distinct(ranks)));
wait (seen) { }
app (file o) where() { "sh" "-c" "echo $ADLB_RANK_SELF" @stdout=o }
(boolean o[string]) distinct(string a[])
{
  foreach v, k in a {
    if (first(a, v) == k) { o[v] = true; }
  }
}
(int k) first(string a[], string v)
{
  for (int i = 1, k = 0; i <= size(a); i = i + 1, k = found) {
    int found;
    if (k == 0 && a[i] == v) { found = i; } else { found = k; }
  }
}
