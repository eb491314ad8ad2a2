// Prime numbers by a dictionary of their multiples.
// ranks: 2 4
// expect: trace: 25,97
int composite[];
int primes[];
foreach n in [2:100] {
  int d[];
  foreach k in [2:10] { if (k < n && n %% k == 0) { d[k] = 1; } }
  if (size(d) == 0) { primes[n] = n; }
}
trace(size(primes), primes[97]);
wait (composite) { }
