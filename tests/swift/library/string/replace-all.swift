// replaceAll() changes all occurrences, without looking at what it inserted.
// expect: trace: m!ss!ss!pp!,aab,bXnXna,
// expect: trace: banXnX,abc
import string;
trace(replaceAll("mississippi", "i", "!"), replaceAll("ab", "a", "aa"), replaceAll("banana", "a", "X", 1, 4),
      replaceAll("", "a", "b"));
trace(replace_all("banana", "a", "X", 2), replaceAll("abc", "", "x"));
