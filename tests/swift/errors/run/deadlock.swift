// What waits for ever.
// exit: 1
// warning: THERE:5: answer may be read
// error: HERE waits for answer (THERE)
// expect: trace: independent work
import sys;
int answer; // there
if (argc() > 0) { answer = 42; }
trace("independent work");
wait (answer) { trace("never", answer); } // here
