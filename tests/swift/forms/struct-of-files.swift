// A struct of files.
// expect: trace: ATOM
import files;
import string;
type run { file pdb_in; file sim_out; }
file p = write("atom");
run r = run(p, simulate(p));
trace(trim(read(r.sim_out)));
app (file o) simulate(file i) { "tr" "a-z" "A-Z" @stdin=i @stdout=o }
