// NODE stands for any worker of the node.
// ranks: 3
// expect: here
main {
  location l = location(0, HARD, NODE);
  @location=l say();
}
app say() { "echo" "here" }
