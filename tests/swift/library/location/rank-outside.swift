// A rank that the run does not have fails.
// exit: 1
// error: HERE: locationFromRank: no worker has rank 9
import location;
trace(locationFromRank(9).rank); // here
