// trim() strips white space at both ends.
// expect: trace: [a  b][][x]
import string;
trace("[" + trim("  a  b\t\n") + "][" + trim(" \n ") + "][" + trim("x") + "]");
