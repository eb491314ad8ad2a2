// string_count() counts occurrences that do not overlap.
// expect: trace: 2,2,1,0,1
import string;
trace(string_count("aaaa", "aa", 0, -1), string_count("mississippi", "ss", 0, -1),
      string_count("mississippi", "ss", 3, -1), string_count("abc", "x", 0, -1), string_count("mississippi", "ss", 0, 5));
