// An input of a redirection that vanished ends the run.
// exit: 1
// error: gone.txt
import files;
import unix;
file g<"gone.txt"> = write("x");
wait (g) { rm("", "gone.txt") => show(g); }
app show(file i) { "cat" @stdin=i }
