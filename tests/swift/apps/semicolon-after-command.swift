// A semicolon may end the command.
// needs: processes
// expect: hello
app say() { "echo" "hello"; }
say();
