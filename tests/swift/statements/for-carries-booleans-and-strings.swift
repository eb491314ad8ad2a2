// Or any other type that can be copied.
// expect: trace: xxx
string s;
boolean more;
for (s = "", more = true; more; s = t, more = length(t) < 3) {
  string t = s + "x";
}
trace(s);
wait (more) { }
