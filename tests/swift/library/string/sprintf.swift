// sprintf() is the operator %.
// expect: trace: 003.1/Z/100,a
import string;
trace(sprintf("%05.1f/%c/%o", 3.14159, 90, 64), sprintf("a"));
