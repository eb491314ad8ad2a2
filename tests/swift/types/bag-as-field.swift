// A field of a struct cannot be a bag.
// exit: 2
// error: HERE
type p { bag<int> b; } // here
