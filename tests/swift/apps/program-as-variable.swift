// It may be a variable.
// expect: hello
string program = "echo";
run(program);
app run(string p) { p "hello" }
