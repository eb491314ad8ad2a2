/*
 * asktell - a study whose loop is in the caller's hands: `wick asktell`.
 *
 * The caller sends lines of JSON, each is answered by one line, and nothing is started.
 * docs/asktell.md describes them. A result is in the journal's file before it is confirmed.
 */
#ifndef ASKTELL_ASKTELL_H
#define ASKTELL_ASKTELL_H

#include "base/base.h"
#include "earlier/earlier.h"
#include "journal/journal.h"
#include "study/study.h"

enum {
    ASKTELL_LINE = 16 << 20, /* the most bytes of a line */
    ASKTELL_ASK = 100000,    /* the most trials that one line may ask for */
};

struct asktell;

struct asktell_options {
    const char *dir;               /* the study folder */
    const struct journal *journal; /* a study to resume; NULL: a new one */
    uint64_t trials;               /* budget, 0: no limit */
    const struct earlier *earlier; /* what a new study learns from; NULL: nothing */
};

/* Study, options and journal must outlive it. On an error there is nothing to close. */
int asktell_open(struct asktell **asktell, const struct study *study,
                 const struct asktell_options *options, struct err *e);
/* Appends the answer to a line, with its newline; nothing when the line is blank. */
void asktell_line(struct asktell *asktell, struct slice line, struct str *answer);
/* Appends the answer to a line that has more than ASKTELL_LINE bytes. */
void asktell_too_long(struct str *answer);
/* Before answers are given out: what they confirm survives the death of this process from here. */
int asktell_save(struct asktell *asktell, struct err *e);
/* Marks open trials as interrupted, to be asked for again, and frees everything. */
int asktell_close(struct asktell *asktell, struct err *e);

#endif
