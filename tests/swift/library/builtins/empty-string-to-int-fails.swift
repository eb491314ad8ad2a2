// So does an empty one.
// exit: 1
// error: HERE: Integer parse: ''
trace(toint("")); // here
