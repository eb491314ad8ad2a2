// It may be a variable.
// needs: processes
// expect: hello
string program = "echo";
run(program);
app run(string p) { p "hello" }
