// A beginning that on and off share says nothing.
// exit: 1
// error: HERE
// error: 'o'
trace(string2bool("o")); // here
