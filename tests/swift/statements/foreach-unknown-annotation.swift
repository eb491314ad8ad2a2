// Unknown annotations are a mistake.
// exit: 2
// error: HERE:2: annotation @foo is not known
@foo foreach i in [0:3] { trace(i); } // here
