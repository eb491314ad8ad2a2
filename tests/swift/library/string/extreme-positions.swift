// Positions of any size do no harm.
// expect: trace: ,,axc,0,-1
import string;
int big = 9223372036854775807;
trace(substring("abc", big, big), substring("abc", 1, -1), replace("abc", "b", "x", -3),
      string_count("abc", "b", 5, 2), find("abc", "b", big, -1));
