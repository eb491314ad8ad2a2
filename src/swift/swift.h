/*
 * swift - the compiler of the dataflow language: a script becomes a program for the runtime.
 *
 * swift_compile() shows the whole pipeline. The room syntax makes a tree of the text; each further
 * stage is a file or a few:
 *
 *   type.c    the types, and what is assignable to what
 *   scope.c   names, and what they mean where
 *   check*.c  every expression gets its type, every name its meaning
 *   usage.c   what is assigned and read on which paths
 *   lower*.c  the tree becomes the intermediate form (room code)
 *
 * Everything that a compile makes lives in one arena and dies with it.
 */
#ifndef SWIFT_SWIFT_H
#define SWIFT_SWIFT_H

#include "base/base.h"
#include "code/code.h"
#include "syntax/syntax.h"

/*
 * Compiles a script; free the code. `name` is what messages call it: its path, or "-E" for
 * code of the command line. Returns 0, or ERR_USER if there are mistakes; ERR_SYSTEM if a file
 * cannot be read.
 */
int swift_compile(const char *name, struct slice text, const struct syntax_options *options,
                  struct code *code, struct syntax_report *report);

/* Only checks it. */
int swift_check(const char *name, struct slice text, const struct syntax_options *options,
                struct syntax_report *report);

#endif
