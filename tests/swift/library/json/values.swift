// json_get() gives values as text, the others numbers and booleans.
// expect: trace: x,7,2.5,null,5
// expect: trace: 8,2.5,7.0,1,True
import json;
string j = "{\"s\": \"x\", \"i\": 7, \"f\": 2.5, \"a\": [0, 1, 5], \"o\": {\"k\": 7, \"t\": true}, \"n\": null}";
trace(json_get(j, "s"), json_get(j, "i"), json_get(j, "f"), json_get(j, "n"), json_get(j, "a,2"));
trace(json_get_int(j, "o,k") + 1, json_get_float(j, "f"), json_get_float(j, "i"), json_get_boolean(j, "o,t"), json_get(j, "o,t"));
