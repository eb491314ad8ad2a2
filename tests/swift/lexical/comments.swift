// Comments end with their line, or at the first closing mark.
// expect: trace: 1
// expect: trace: 2
// expect: trace: // not a comment,/* nor this */
/* one /* does not nest */
trace(1); // trace("never");
trace(/* inside of a call */ 2 /* two */);
trace("// not a comment", "/* nor this */");
/**/
/***/
