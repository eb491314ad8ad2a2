// substring() cuts out characters, clipped at the end; a negative start counts before the string.
// expect: trace: flow,ow,,,h,llo,é→
import string;
trace(substring("workflow", 4, 4), substring("workflow", 6, 99), substring("abc", 7, 2),
      substring("abc", 1, 0), substring("hello", -1, 2), substring("hello", 2, 3), substring("hé→!", 1, 2));
