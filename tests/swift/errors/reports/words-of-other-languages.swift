// Statements of other languages are recognised.
// exit: 2
// error: words-of-other-languages.swift:7
// error: words-of-other-languages.swift:8
// error: words-of-other-languages.swift:9
int i = 1;
while (i < 3) { trace(i); }
return 3;
i++;
