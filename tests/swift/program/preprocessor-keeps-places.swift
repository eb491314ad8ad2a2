// Mistakes in included files are reported with that file's name and line.
// exit: 2
// error: part.h:3:9: cannot assign to n
// file: part.h
//| // one
//| // two
//| int n = true;
#include "part.h"
trace(n);
