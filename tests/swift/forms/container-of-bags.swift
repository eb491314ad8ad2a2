// An array of bags.
// expect: trace: 2,1
import blob;
bag<blob> B[];
B[0] += string2blob("a");
B[0] += string2blob("b");
B[5] += string2blob("c");
trace(bag_size(B[0]), bag_size(B[5]));
