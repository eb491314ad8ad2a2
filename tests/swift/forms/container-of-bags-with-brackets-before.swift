// Slides put the brackets before the name, which is accepted with a warning.
// warning: HERE
// expect: trace: 1
import blob;
bag<blob>[] B; // here
B[0] += string2blob("a");
trace(bag_size(B[0]));
