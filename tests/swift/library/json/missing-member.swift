// So does a place that a list does not have.
// exit: 1
// error: json_get: path '5': there is no member 5 in a list of 2
import json;
trace(json_get("[1, 2]", "5"));
