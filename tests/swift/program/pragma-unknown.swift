// Pragmas that are not known are a mistake.
// exit: 2
// error: HERE:8: pragma nonsense is not known
pragma nonsense 3; // here
