// A switch needs an int.
// exit: 2
// error: HERE:9: switch needs an int, but this has type string
switch ("a") { case 1: trace(1); } // here
