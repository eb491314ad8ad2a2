// A value of another type fails.
// exit: 1
// error: HERE
import json;
trace(json_get_int("{\"a\": \"x\"}", "a")); // here
