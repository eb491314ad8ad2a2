// A string may contain the character 0.
// expect: trace: 3,1,2
import string;
string s = "a\0b";
trace(strlen(s), find(s, "\0", 0, -1), size(split(s, "\0")));
