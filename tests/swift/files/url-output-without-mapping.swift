// An unmapped url cannot be the output of an app.
// exit: 2
// error: HERE
app (url o) fetch() { "true" o }
url u = fetch(); // here
trace(urlname(u));
