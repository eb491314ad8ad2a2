// Statements of the top level run without a function main.
// expect: trace: hello
// expect: trace: 3
trace("hello");
trace(1 + 2);
