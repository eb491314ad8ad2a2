// A text that is not JSON fails, with the place.
// exit: 1
// error: HERE
// error: not JSON
import json;
trace(json_get("{\"a\": }", "a")); // here
