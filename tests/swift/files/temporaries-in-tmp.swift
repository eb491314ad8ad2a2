// Without SWIFT_TMP, that folder is TMP.
// env: TMP=own
// before: mkdir own
// expect: trace: 1
// after: [ -z "$(ls own)" ]
import files;
import string;
file f = write("x");
wait (f) { trace(find(filename(f), "own/", 0, -1) >= 0); }
