/* options.h - what a compile is told, and what it reports (a part of the door of this room). */
#ifndef SYNTAX_OPTIONS_H
#define SYNTAX_OPTIONS_H

#include "base/base.h"

/* What the command line says about a compile. Lists are ended by NULL; NULL is an empty one. */
struct syntax_options {
    const char *const *folders;   /* -I: where modules and included files are looked for */
    const char *const *defines;   /* -D: NAME or NAME=VALUE */
    const char *const *imports;   /* -i: modules that are imported as if the script said so */
    const char *const *arguments; /* -A: NAME=VALUE, a program argument that is known now */
    bool raw;                     /* -p: no preprocessor */
};

/* What came of a compile. */
struct syntax_report {
    struct err_list mistakes;
    struct err_list warnings;
};

/* Frees the lists. */
void syntax_report_free(struct syntax_report *report);

#endif
