// A location is a struct whose rank can be read.
// expect: trace: 1
main {
  location l = location(1, HARD, RANK);
  trace(l.rank);
}
