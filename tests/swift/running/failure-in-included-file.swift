// In an included file, that file.
// exit: 1
// error: part.h:2: integer division by zero: 1 %/ 0
// file: part.h
//| int zero = size(empty);
//| trace(1 %/ zero);
int empty[] = [];
#include "part.h"
