// Two writes of one file are a mistake.
// exit: 2
// error: HERE:1: f cannot be assigned again
import files;
file f<"a.txt"> = write("1");
f = write("2"); // here
