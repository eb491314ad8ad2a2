// -A gives an argument that argv() reads.
// opts: -A size=9 -A 'name=two words'
// args: -other=1
// expect: trace: 9,two words,1
import sys;
trace(argv("size"), argv("name"), argv("other"));
