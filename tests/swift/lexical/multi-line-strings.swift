// The value of a multi-line string includes the newline after its opener; escapes are processed.
// opts: -p
// order: exact
// expect: trace: [
// expect: a "quoted" 	 tab
// expect: ]
// expect: trace: [
// expect: dashes \
// expect: ]
// ranks: 2
string a = """
a "quoted" \t tab
""";
string b =
----
dashes \\
----;
trace("[" + a + "]") => trace("[" + b + "]");
