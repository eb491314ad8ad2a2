// #include inserts a file, which is preprocessed too.
// expect: trace: 9
// expect: trace: included
// file: part.h
//| #define NINE 9
//| trace("included");
#include "part.h"
trace(NINE);
