// Also when an app uses it.
// exit: 1
// error: input_file: file 'nothing.txt' does not exist
file f = input("nothing.txt");
show(f);
app show(file i) { "cat" i }
