// The place may become known later than the arguments.
// ranks: 3
// order: exact
// expect: trace: before
// expect: here
location l;
@location=l say();
trace("before") => l = location(1, HARD, RANK);
app say() { "echo" "here" }
