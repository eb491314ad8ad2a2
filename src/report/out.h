/*
 * out.h - private to the room: text on its way to a file or a descriptor. Append to `text`;
 * out_turn() writes it once it is large, so that a million rows take no more memory than one.
 */
#ifndef REPORT_OUT_H
#define REPORT_OUT_H

#include "report/report.h"

struct out {
    struct str text; /* what is not written yet */
    const char *path;
    char *temporary; /* the file that becomes `path` at the end; NULL: `path` is written directly */
    int fd;
    int number; /* errno of the first failure, 0: none */
};

/*
 * Remembers a temporary file that is removed if the program ends before out_forget(): running out
 * of memory ends it. One at a time; the name must live as long.
 */
void out_remember(const char *temporary);
/* The file has its place, or is removed. */
void out_forget(void);

/* True for a pipe or a device, and for /dev/stdout and the like: they are written into. */
bool out_is_special(const char *path);
/* The mode of a new file: for its owner alone if it gets the secrets of this study. */
unsigned out_mode(const struct study *study);
/* Opens the target; a new file gets this mode. */
int out_open(struct out *out, struct report_target target, unsigned mode, struct err *e);

/* Between two rows: writes the text if there is much of it. */
void out_turn(struct out *out);

/*
 * Writes the rest and moves the file into place. If `failed` is the code of an earlier error, drops
 * the file and returns it. Frees everything.
 */
int out_close(struct out *out, int failed, struct err *e);

#endif
