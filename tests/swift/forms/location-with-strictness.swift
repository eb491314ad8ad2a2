// A pair of location and strictness is a soft location.
// expect: here
import location;
main {
  location L = locationFromRank(0);
  @location=(L, SOFT) say();
}
app say() { "echo" "here" }
