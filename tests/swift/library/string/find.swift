// find() gives the first place at or after a start; the end is exclusive, and -1 the length.
// expect: trace: 2,5,-1,-1,2
// expect: trace: -1,-1,0,1
import string;
trace(find("mississippi", "ss", 0, -1), find("mississippi", "ss", 3, -1), find("mississippi", "x", 0, -1),
      find("mississippi", "ss", 0, 3), find("mississippi", "ss", -5, 4));
trace(find("abc", "", 0, -1), find("", "a", 0, -1), find("abc", "a", 0, -1), find("é→", "→", 0, -1));
