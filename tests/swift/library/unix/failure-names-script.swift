// If one of its programs fails, the message has the line of the script.
// exit: 1
// error: failure-names-script.swift:7
// error: rm nothing
// stderr: any
import unix;
rm("", "nothing") => trace("never");
