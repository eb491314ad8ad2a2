// Booleans have no type there, and fail.
// exit: 1
// error: HERE
import json;
trace(json_type("[true]", "0")); // here
