// An output that the command does not mention causes a warning.
// warning: HERE:11: the command does not mention the output o
// after: [ "$(cat o.txt)" = x ]
import files;
app (file o) f() { "sh" "-c" "printf x > o.txt" } // here
file x<"o.txt"> = f();
wait (x) { }
