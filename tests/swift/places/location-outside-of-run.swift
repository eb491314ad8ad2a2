// A rank that the run does not have fails.
// ranks: 3
// exit: 1
// error: location-outside-of-run.swift:10
// error: rank 7
main {
  location l = location(7, HARD, RANK);
  @location=l say();
}
app say() { "echo" "here" }
