// A name that is not there fails.
// exit: 1
// error: HERE: json_get: path 'a,c': there is no 'c'
import json;
trace(json_get("{\"a\": {\"b\": 1}}", "a,c")); // here
