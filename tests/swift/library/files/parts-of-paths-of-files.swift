// The same for files.
// expect: trace: out/d,f.tar.gz,out/d/f.tar,.gz
import files;
file f<"out/d/f.tar.gz"> = write("");
trace(dirname(f), basename(f), rootname(f), extension(f));
