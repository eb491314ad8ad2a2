// A file that cannot be included is reported.
// exit: 2
// error: HERE
#include "nothing.h" // here
trace(1);
