// A type that is not known fails.
// exit: 1
// error: HERE
// error: unknown type 'flaot': did you mean 'float'?
import json;
trace(json_encode_array_retype(["flaot"], 1)); // here
