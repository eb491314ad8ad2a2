// The constructor of locations and its constants.
// expect: trace: 1,0,1,0,1
main {
  location a = location(1, HARD, RANK);
  location b = location(0, SOFT, NODE);
  trace(a.rank, b.rank, a.rank, b.rank, a.rank);
}
