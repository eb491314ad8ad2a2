// A call with a hard location runs on that worker.
// ranks: 4
// expect: trace: 0,0
// expect: trace: 1,1
// expect: trace: 2,2
import files;
import location;
import string;
foreach k in [0:turbine_workers() - 1] {
  location l = locationFromRank(k);
  foreach i in [1:1] { trace(k, toint(trim(read(@location=l where())))); }
}
app (file o) where() { "sh" "-c" "echo $ADLB_RANK_SELF" @stdout=o }
