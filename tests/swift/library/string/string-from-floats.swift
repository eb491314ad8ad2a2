// string_from_floats() joins floats with commas.
// expect: trace: 1.0,2.5
// expect: trace: 
import string;
float none[] = [];
trace(string_from_floats([1.0, 2.5]));
trace(string_from_floats(none));
