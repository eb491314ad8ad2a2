// A file that cannot be written fails with its path and the reason.
// exit: 1
// error: HERE
// error: blocked/a.txt
// file: blocked
//| a file where a folder is needed
import files;
file f<"blocked/a.txt"> = write("x"); // here
wait (f) { }
