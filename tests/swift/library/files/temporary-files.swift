// mktemp() and mktemp_string() make empty files that are removed at the end.
// env: SWIFT_TMP=own
// before: mkdir own
// expect: trace: 1,0,.turbine,0
// after: [ -z "$(ls own)" ]
import files;
string s = mktemp_string();
file f = mktemp();
wait (s, f) { trace(file_exists(s), file_size(s), extension_string(s), length(read(f))); }
