// Because >= is one token, a blank is needed between a mapping and =.
// exit: 2
// error: HERE
import files;
file f<"x">= write("a"); // here
