// length() counts characters.
// expect: trace: 0,3,2
trace(length(""), length("abc"), length("éß"));
