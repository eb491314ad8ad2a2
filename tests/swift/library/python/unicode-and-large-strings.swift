// Strings of any kind and length come back.
// needs: python
// expect: trace: é→"\n",1000000
import python;
trace(python("", "'é→\"\\\\n\"'"), length(python("s = 'x' * 1000000", "s")));
