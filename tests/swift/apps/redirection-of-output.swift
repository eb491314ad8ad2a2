// @stdout and @stderr write to files, whose folders are created.
// expect: trace: out,err
// after: [ "$(cat a/o.txt b/e.txt)" = $'out\nerr' ]
import files;
import string;
file x<"a/o.txt">;
file y<"b/e.txt">;
(x, y) = both();
trace(trim(read(x)), trim(read(y)));
app (file o, file e) both() { "sh" "-c" "echo out; echo err >&2" @stdout=o @stderr=e }
