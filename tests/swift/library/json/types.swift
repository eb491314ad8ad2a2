// json_type() names the type of what a path leads to.
// expect: trace: object,string,int,float,array,object,null,int
import json;
string j = "{\"s\": \"x\", \"i\": 7, \"f\": 2.5, \"a\": [0, 1, 5], \"o\": {\"k\": 7}, \"n\": null}";
trace(json_type(j, ""), json_type(j, "s"), json_type(j, "i"), json_type(j, "f"), json_type(j, "a"),
      json_type(j, "o"), json_type(j, "n"), json_type(j, "a,2"));
