// The size of a list, and the names of an object in their order.
// expect: trace: 3,0,z,a,m
import json;
trace(json_array_size("[1, [2], 3]", ""), json_array_size("{\"e\": []}", "e"), json_object_names("{\"z\": 1, \"a\": 2, \"m\": 3}", ""));
