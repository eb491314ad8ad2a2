// A character that is no part of the language is reported with its place.
// exit: 2
// error: HERE:9: unexpected character
int x = $3; // here
