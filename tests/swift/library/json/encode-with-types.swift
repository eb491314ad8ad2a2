// The types of the values can be given.
// expect: trace: [3, 2.0, true, [1], [ 4,5 ], null, { k:1 }]
// expect: trace: 3, true
// expect: trace: {"ok":true, "list":[ 1,2 ], "n":4}
// expect: trace: "ok":false
import json;
trace(json_encode_array_retype(["int", "float", "boolean", "json", "array", "null", "object"], 3.7, 2, 1, "[1]", "4,5", "x", "k:1"));
trace(json_encode_array_contents_retype(["int", "boolean"], 3, 1));
trace(json_encode_object_retype(["ok", "list", "n"], ["boolean", "array", "int"], 1, "1,2", 4.9));
trace(json_encode_object_contents_retype(["ok"], ["boolean"], 0));
