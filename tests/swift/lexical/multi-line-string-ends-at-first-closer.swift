// The first closer ends the string.
// opts: -p
// expect: trace: 5
string a = """
abc
""";
string b = """
""";
trace(length(a) + length(b) - 1);
