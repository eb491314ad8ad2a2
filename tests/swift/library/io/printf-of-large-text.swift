// A long text is printed whole.
// after: "$WICK" swift -n 2 printf-of-large-text.swift | awk '{ exit length != 262144 }'
// contains: x
import io;
import string;
string s;
for (s = "0123456789abcdef", int i = 0; i < 14; i = i + 1, s = s + s) { }
printf("%s", s);
printf("x");
