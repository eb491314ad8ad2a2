// Nothing of a script with a mistake runs.
// exit: 2
// error: HERE
// after: [ ! -e made.txt ]
import files;
file f<"made.txt"> = write("x");
trace("never");
int x = true; // here
