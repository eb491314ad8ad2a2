// A range that no memory can hold fails; a loop over it does not hold it.
// exit: 1
// error: HERE
// error: loop over a range literal
trace(size([0:9223372036854775807])); // here
