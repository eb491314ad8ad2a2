// One rank alone has no worker.
// ranks: 1
// exit: 2
// error: -n 1 leaves no worker
trace("never");
