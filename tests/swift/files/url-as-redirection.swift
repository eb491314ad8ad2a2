// Output cannot be redirected to a url.
// exit: 2
// error: HERE
app (url o) fetch() { "echo" @stdout=o } // here
url u<"y"> = fetch();
wait (u) { }
