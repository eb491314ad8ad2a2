// The program's name as a bare word must be put in quotes.
// exit: 2
// error: HERE:35: variable sim is not declared: put a word of the command in quotes
app (file o) run(file f, int i) { sim "-s" i @f @o } // here
