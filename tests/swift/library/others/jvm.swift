// So do the languages of the Java machine.
// exit: 1
// error: HERE: groovy() is not available
import jvm;
trace(groovy("1")); // here
