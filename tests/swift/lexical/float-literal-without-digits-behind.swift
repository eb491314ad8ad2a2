// Digits are needed behind the point.
// exit: 2
// error: HERE:11
float x = 5.; // here
