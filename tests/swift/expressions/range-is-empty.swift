// A range whose start is above its end is empty.
// expect: trace: 0,0
int n = 0;
trace(size([1:n]), size([5:4]));
