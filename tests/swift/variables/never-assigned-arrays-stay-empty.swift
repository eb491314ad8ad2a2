// Arrays and bags may stay empty.
// expect: trace: 0,0
int a[];
bag<string> b;
trace(size(a), bag_size(b));
