// HARD, SOFT, RANK and NODE are known everywhere.
// expect: trace: 0,1
location a = location(0, HARD, RANK);
location b = location(1, SOFT, NODE);
trace(a.rank, b.rank);
