// Each stream is redirected once.
// exit: 2
// error: HERE
app (file a, file b) f() { "echo" @stdout=a @stdout=b } // here
