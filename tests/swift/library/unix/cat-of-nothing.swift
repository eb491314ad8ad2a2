// Without files, cat() fails.
// exit: 1
// error: cat
import unix;
file none[];
file c<"c.txt"> = cat(none);
wait (c) { }
