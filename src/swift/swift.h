/*
 * swift - the compiler of the dataflow language: a script becomes a program for the runtime.
 *
 * swift_compile() shows the whole pipeline; each stage is a file or a few:
 *
 *   source.c      the texts of a script, and which place in which file a position stands for
 *   preprocess.c  #include, #define, #if: one text becomes another (macro.c, condition.c)
 *   lex.c         text becomes tokens
 *   parse*.c      tokens become a tree (tree.h)
 *   module.c      imports: the modules that a script needs, each once
 *   type.c        the types, and what is assignable to what
 *   scope.c       names, and what they mean where
 *   check*.c      every expression gets its type, every name its meaning
 *   usage.c       what is assigned and read on which paths
 *   lower*.c      the tree becomes the intermediate form (room code)
 *
 * A stage never stops at its first mistake: it adds to the list and goes on as far as it makes
 * sense. The next stage runs only if there were none. Everything that a compile makes lives in one
 * arena and dies with it.
 */
#ifndef SWIFT_SWIFT_H
#define SWIFT_SWIFT_H

#include "base/base.h"
#include "code/code.h"

/* What the command line says about a compile. Lists are ended by NULL; NULL is an empty one. */
struct swift_options {
    const char *const *folders;   /* -I: where modules and included files are looked for */
    const char *const *defines;   /* -D: NAME or NAME=VALUE */
    const char *const *imports;   /* -i: modules that are imported as if the script said so */
    const char *const *arguments; /* -A: NAME=VALUE, a program argument that is known now */
    bool raw;                     /* -p: no preprocessor */
};

/* What came of a compile. */
struct swift_report {
    struct err_list mistakes;
    struct err_list warnings;
};

/* Frees the lists. */
void swift_report_free(struct swift_report *report);

/*
 * Compiles a script; free the code. `name` is what messages call it: its path, or "-E" for code of the command line.
 * Returns 0, or ERR_USER if there are mistakes; ERR_SYSTEM if a file cannot be read.
 */
int swift_compile(const char *name, struct slice text, const struct swift_options *options,
                  struct code *code, struct swift_report *report);

/* Only checks it. */
int swift_check(const char *name, struct slice text, const struct swift_options *options,
                struct swift_report *report);

/* Appends what the preprocessor makes of a script. Returns as swift_check() does. */
int swift_preprocess(const char *name, struct slice text, const struct swift_options *options,
                     struct str *out, struct swift_report *report);

#endif
