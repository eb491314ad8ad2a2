// What is appended must have the type of the members.
// exit: 2
// error: HERE
bag<int> b;
b += "x"; // here
trace(bag_size(b));
