// mkdir() makes folders, also nested ones; rm() removes.
// expect: trace: directory,1
// expect: trace: 0
import files;
import unix;
mkdir("deep/er") => trace(file_type_string("deep/er"), file_exists("deep")) => rm("-r -f", "deep") =>
  trace(file_exists("deep"));
