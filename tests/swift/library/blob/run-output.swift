// turbine_run_output_blob() has no effect.
// expect: trace: 1
import blob;
turbine_run_output_blob(string2blob("a"));
trace(1);
