// The path may be any string expression, also one that is set later.
// expect: trace: run/x.dat
// expect: trace: run-4/x.dat
// after: [ "$(cat run/x.dat run-4/x.dat)" = 34 ]
import files;
string name = "x" + ".dat";
string later;
file f<"run" / name> = write("3");
file g<later> = write("4");
trace(filename(f));
trace(filename(g));
later = "run-%i" % 4 / name;
