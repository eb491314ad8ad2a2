// A label that occurs twice.
// exit: 2
// error: HERE
switch (1) { case 1: case 1: } // here
