// Objects from names and values.
// expect: trace: {"x":1, "y":"z"}
// expect: trace: "x":1
import json;
trace(json_encode_object(["x", "y"], 1, "z"));
trace(json_encode_object_contents(["x"], 1));
