// A host that is not there fails, with the hosts that are.
// exit: 1
// error: HERE: hostmapOneWorker: no worker runs on host 'nowhere'
import location;
trace(hostmapOneWorker("nowhere").rank); // here
