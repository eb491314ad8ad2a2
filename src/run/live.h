/*
 * live.h - the trials that are under way, by id (private to this room).
 *
 * A ring of slots: trial `id` is at id modulo the capacity, which doubles when two collide. Ids
 * under way are close together, so the ring stays small.
 */
#ifndef RUN_LIVE_H
#define RUN_LIVE_H

#include "base/base.h"

struct live_trial {
    uint64_t id;         /* 0: the slot is free */
    unsigned try;        /* from 1 */
    unsigned failures;   /* how often it failed before */
    unsigned losses;     /* workers that died while they had it, and SIGTERMs it died of */
    unsigned worker;     /* that has it, of a team the first; 0: none, or not known yet */
    unsigned ranks;      /* how many workers it takes */
    bool recorded;       /* the journal knows this try */
    bool given;          /* to a worker, or to another server */
    bool looked_at;      /* somebody wanted to see its output */
    uint64_t queued;     /* its line in DIR/queue; 0: it is a suggestion */
    uint64_t suggestion; /* its number at the steering program; 0: none */
    uint64_t origin;     /* the trial whose checkpoint it starts from; 0: none */
    uint64_t stop_step;  /* after which it was told to stop; 0: it was not */
    double last_value;   /* that it reported */
    uint64_t last_step;  /* that it reported */
    uint64_t step;       /* after which this try goes on; 0: it starts at the beginning */
    double since;        /* comm_now() when this try was recorded */
    bool leaving;        /* it was told to leave before the deadline */
    bool quick;          /* the search was to hurry when it suggested it */
    bool counted;        /* it was paused in this run, and counts as stopped until it ends again */
};

struct live {
    struct live_trial *slots;
    double *points;  /* `width` numbers per slot */
    size_t capacity; /* a power of two */
    size_t width;
};

/* Starts empty; `width` numbers are a point. */
void live_init(struct live *live, size_t width);
/* Frees what it holds. */
void live_free(struct live *live);
/* Adds a trial with a copy of its point; pointers to others may change. */
struct live_trial *live_add(struct live *live, uint64_t id, unsigned try, const double *point);
/* A trial that must be there. */
struct live_trial *live_find(struct live *live, uint64_t id);
/* The same, or NULL when it is not there. */
struct live_trial *live_look(struct live *live, uint64_t id);
/* Its point; good until the next live_add(). */
double *live_point(struct live *live, const struct live_trial *trial);
/* Removes a trial that must be there. */
void live_remove(struct live *live, uint64_t id);

#endif
