// A pattern that makes other engines slow does not.
// expect: trace: 0
import string;
trace(size(pick_regexp("^(a*)*c$", ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"])));
