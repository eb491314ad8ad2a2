// replace() changes the first occurrence at or after a start.
// expect: trace: miSSissippi,missiSSippi,mississippi,mississippi
import string;
trace(replace("mississippi", "ss", "SS", 0), replace("mississippi", "ss", "SS", 3),
      replace("mississippi", "x", "y", 0), replace("mississippi", "", "y", 0));
