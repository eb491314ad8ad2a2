// A bracket that is never closed is reported where it was opened.
// exit: 2
// error: HERE:6: this '{' is never closed
main { // here
  if (true) {
    trace(1);
  }
// The brace of main is missing.
