// A mapped one can.
// expect: to x://y
// expect: trace: x://y
app (url o) fetch() { "echo" "to" o }
url u<"x://y"> = fetch();
wait (u) { trace(urlname(u)); }
