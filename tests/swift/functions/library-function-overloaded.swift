// But it can be overloaded.
// expect: trace: 2,3
import string;
(int o) strlen(int i) { o = strlen(int2string(i)); }
trace(strlen(10), strlen("abc"));
