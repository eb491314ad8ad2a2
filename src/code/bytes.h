/* bytes.h - what write.c and read.c agree on (private to this room). */
#ifndef CODE_BYTES_H
#define CODE_BYTES_H

#include "code/code.h"

/* The bytes start with this; the last byte is the version. */
enum { CODE_MARK_LENGTH = 8 };
static const char code_mark[CODE_MARK_LENGTH + 1] = "wickcod\1";

#endif
