// Blocks give no order, and see the names around them.
// expect: trace: 3
{ int a = 1; { int b = 2; { trace(a + b); } } }
