/*
 * out.h - text on its way to a file or a descriptor. Append to `text`; out_turn() writes it away
 * once it is large, so that a million rows take no more memory than one.
 */
#ifndef REPORT_OUT_H
#define REPORT_OUT_H

#include "report/report.h"

struct out {
    struct str text; /* what is not written yet */
    const char *path;
    char *temporary; /* what is written becomes the file at path at the end; NULL: it goes there */
    int fd;
    int number; /* errno of the first failure, 0: none */
};

int out_open(struct out *out, struct report_target target, struct err *e);

/* Between two rows: writes what has gathered when it is much. */
void out_turn(struct out *out);

/*
 * Writes the rest and puts the file in its place. With failed (the code of an error that is set)
 * the file is dropped and failed is returned. Frees everything.
 */
int out_close(struct out *out, int failed, struct err *e);

#endif
