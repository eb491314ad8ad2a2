// A work type must be defined.
// exit: 2
// error: HERE:11: @dispatch=gpu is not known
@dispatch=gpu app special() { "echo" "never" } // here
