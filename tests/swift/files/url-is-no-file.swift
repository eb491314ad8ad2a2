// A url is not accepted for a file, nor the other way round.
// exit: 2
// error: HERE
// error: THERE
import files;
url u = input_url("a");
trace(read(u)); // here
file f = write("");
trace(urlname(f)); // there
