// There must be as many names as values.
// exit: 1
// error: HERE
import json;
trace(json_encode_object(["x", "y"], 1)); // here
