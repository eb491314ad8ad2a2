// Arrays of values of different types.
// expect: trace: [3, "s", 1, 2.5]
// expect: trace: 3, "s"
// expect: trace: []
import json;
trace(json_encode_array(3, "s", true, 2.5));
trace(json_encode_array_contents(3, "s"));
trace(json_encode_array());
