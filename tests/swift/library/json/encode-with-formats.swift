// Or formats.
// expect: trace: [007, 1.00, "z"]
// expect: trace: 1, false
// expect: trace: {"a":1.5}
// expect: trace: "a":null
import json;
trace(json_encode_array_format("%03i %.2f %s", 7, 1.0, "z"));
trace(json_encode_array_contents_format("%i %B", 1, 0));
trace(json_encode_object_format(["a"], "%.1f", 1.5));
trace(json_encode_object_contents_format(["a"], "%N", 1));
