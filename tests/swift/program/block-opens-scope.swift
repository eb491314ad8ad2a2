// Names of sibling blocks are independent.
// expect: trace: 1
// expect: trace: two
{ int v = 1; trace(v); }
{ string v = "two"; trace(v); }
