// Redirections need files.
// exit: 2
// error: HERE
app show() { "cat" @stdin="a.txt" } // here
show();
