/* check.h - whether instructions mean something (private to this room). */
#ifndef CODE_CHECK_H
#define CODE_CHECK_H

#include "code/code.h"

/* True if the runtime can run it; all counts and tables have been checked before. */
bool code_check(const struct code *code);

#endif
