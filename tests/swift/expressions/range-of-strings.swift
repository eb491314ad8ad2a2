// The parts of a range are numbers.
// exit: 2
// error: HERE
trace(size(["a":"b"])); // here
