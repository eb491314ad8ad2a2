// So does clojure().
// exit: 1
// error: HERE: clojure() is not available
import jvm;
trace(clojure("1", "1")); // here
