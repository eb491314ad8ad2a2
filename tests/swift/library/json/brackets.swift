// json_arrayify() and json_objectify() only add brackets.
// expect: trace: [1, 2],{"a": 1}
import json;
trace(json_arrayify("1, 2"), json_objectify("\"a\": 1"));
