// A semicolon may end the command.
// expect: hello
app say() { "echo" "hello"; }
say();
