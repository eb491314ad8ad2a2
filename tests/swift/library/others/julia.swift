// julia() needs support that is not there.
// exit: 1
// error: HERE: julia() is not available
import julia;
trace(julia("1")); // here
