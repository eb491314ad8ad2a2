/*
 * wishes.h - DIR/queue as the one reads it who gives trials out (private to this room).
 *
 * A line is a JSON object of parameters. Lines are numbered from 1 and used in their order, each
 * once: the journal says which line a trial came from. A line that does not fit the space is left
 * out; `wick enqueue` writes none. What follows the last newline is not looked at yet.
 */
#ifndef RUN_WISHES_H
#define RUN_WISHES_H

#include "run/run.h"

struct wishes {
    const struct space *space;
    char *path;
    uint64_t read;   /* lines that were read */
    uint64_t used;   /* of them, or of those to come: used by earlier runs */
    uint64_t offset; /* in the file, of what is in `text` */
    struct str text; /* what was read and is no line yet */
    uint64_t *lines; /* numbers of the lines that wait, from `next` on */
    double *points;  /* theirs */
    size_t next, count, line_capacity, point_capacity;
};

void wishes_open(struct wishes *wishes, const char *dir, const struct space *space);
void wishes_close(struct wishes *wishes);
/* Lines up to this one were used by earlier runs. Before the first look. */
void wishes_used(struct wishes *wishes, uint64_t line);
/* Reads what has come since the last look. */
void wishes_look(struct wishes *wishes);
/* What a parameter is when nobody says: its default, else the middle or the first value. */
double wishes_default(const struct parameter *parameter);
/* How many points wait. */
size_t wishes_waiting(const struct wishes *wishes);
/* The next point, or NULL. */
const double *wishes_next(const struct wishes *wishes);
/* Takes the next point; returns its line, 0: none waits. */
uint64_t wishes_take(struct wishes *wishes, double *point);

#endif
