// A call with a soft location runs somewhere.
// ranks: 3
// expect: trace: 1
// expect: trace: 1
import files;
import location;
main {
  location l = location(1, SOFT, RANK);
  trace(length(read(@location=l where())) - 1);
  location h = location(1, HARD, RANK);
  trace(length(read(@soft_location=h where())) - 1);
}
app (file o) where() { "sh" "-c" "echo $ADLB_RANK_SELF" @stdout=o }
