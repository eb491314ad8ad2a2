// json_join() unites objects; the right one wins.
// expect: trace: {"a": 1, "b": 3, "c": 4}
import json;
trace(json_join("{\"a\": 1, \"b\": 2}", "{\"b\": 3, \"c\": 4}"));
