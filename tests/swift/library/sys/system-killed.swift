// A signal counts as 128 and its number.
// expect: trace: ,137
import sys;
o, c = system(["sh", "-c", "kill -9 $$"]);
trace(o, c);
