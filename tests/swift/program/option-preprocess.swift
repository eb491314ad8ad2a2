// --preprocess prints what the preprocessor makes, and runs nothing.
// opts: --preprocess
// contains: trace(1 + 2);
// absent: trace: 
#define THREE 1 + 2
trace(THREE);
