// Locations and priorities can be combined.
// ranks: 3
// expect: here
// expect: trace: after
import location;
@prio=5 @location=locationFromRank(1) say() => trace("after");
app (void v) say() { "echo" "here" }
