/*
 * live.h - the trials that are under way, by id (private to this room).
 *
 * A ring of slots: trial `id` lies at id modulo the capacity, which doubles when two meet. Ids
 * under way are close together, so the ring stays small.
 */
#ifndef RUN_LIVE_H
#define RUN_LIVE_H

#include "base/base.h"

struct live_trial {
    uint64_t id;         /* 0: the slot is free */
    unsigned try;        /* which start of it this is, from 1 */
    unsigned failures;   /* how often it failed before */
    unsigned losses;     /* how many workers died while they had it, or SIGTERMs it died of */
    unsigned worker;     /* who has it, 0: nobody, or it is not known yet; of several the first */
    unsigned ranks;      /* how many workers it takes */
    bool begun;          /* the journal knows this start of it */
    bool given;          /* a worker, or another server, has it */
    uint64_t queued;     /* the line of DIR/queue that it came from; 0: of the search */
    uint64_t suggestion; /* which of the program's that steers it is; 0: none */
    uint64_t origin;     /* the trial whose checkpoint it begins with; 0: none */
    uint64_t stop_step;  /* it was told to stop after this step; 0: it was not */
    double last_value;   /* of the last step that it reported */
    uint64_t last_step;  /* that it reported */
    uint64_t step;       /* it goes on after this one, 0: from its begin */
    double since;        /* comm_now() when this start of it was written down */
    bool leaving;        /* it was told to leave, since the machine is taken away */
    bool counted;        /* it was paused in this run, and counts as stopped until it ends again */
};

struct live {
    struct live_trial *slots;
    double *points;  /* `width` doubles a slot */
    size_t capacity; /* a power of two */
    size_t width;
};

void live_init(struct live *live, size_t width);
void live_free(struct live *live);
struct live_trial *live_add(struct live *live, uint64_t id, unsigned try, const double *point);
/* The trial must be there. */
struct live_trial *live_find(struct live *live, uint64_t id);
/* The same, or NULL when it is not there. */
struct live_trial *live_look(struct live *live, uint64_t id);
double *live_point(struct live *live, const struct live_trial *trial);
void live_remove(struct live *live, uint64_t id);

#endif
