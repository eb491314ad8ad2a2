// Several annotations may be given, but not contradictory ones.
// exit: 2
// error: HERE
@splitdegree=2 @leafdegree=4 @async foreach i in [0:3] { trace(i); }
@sync @async foreach i in [0:3] { trace(i); } // here
