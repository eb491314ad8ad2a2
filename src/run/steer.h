/*
 * steer.h - a program of the user's that steers the search (private to this room).
 *
 * It takes the place of an algorithm: its suggestions are checked and offered to the search
 * "outside", and it is told what came of them. Two protocols are spoken, each a table of functions:
 * the queues of EMEWS (queues.c), where the program decides when it talks, and lines of JSON
 * (lines.c), where it is asked. What a user sees of them stands in docs/steer.md.
 *
 *   steer_begin() ─▶ running ── DONE, {"end"} ──▶ closed: what was suggested still runs
 *                       │                           │
 *                       │        nothing left to run, time up, Ctrl-C: dismissed
 *                       │                           │
 *                       └── died, wrong ──▶ failed  └──▶ gone, and the study may end
 */
#ifndef RUN_STEER_H
#define RUN_STEER_H

#include "run/driver.h"

/* A suggestion that cannot be a trial, or a word that means nothing, has at most so many bytes. */
enum { STEER_SHOWN = 100, STEER_MESSAGE = 64 << 20, STEER_WAITING = 1000000 };

/* How to talk with the program. */
struct steer_protocol {
    void (*begun)(struct steer *steer);
    /* steer->input has more; takes what it understands. */
    void (*said)(struct steer *steer);
    /* So many workers are idle, and no suggestion waits for them. */
    void (*wanted)(struct steer *steer, size_t count);
    /* A trial ended; trial->suggestion is 0 when it is none of this run's suggestions. */
    void (*told)(struct steer *steer, const struct live_trial *trial, const struct outcome *result);
    /* True while more may come of it although no trial can be begun any more. */
    bool (*is_needed)(const struct steer *steer);
    /* Has it end; sets steer->dismissed when it is no error from now on how it does. */
    void (*dismiss)(struct steer *steer);
    void (*free)(struct steer *steer);
};

extern const struct steer_protocol queues_protocol, lines_protocol;

/* Trials of an earlier run, by their points: see recall.c. */
struct recall {
    size_t width, objectives, count;
    double *points;  /* of all trials; the keys of the map */
    double *scores;  /* the same; NaN: it has failed, or not ended yet */
    uint64_t *next;  /* by trial: the next id with the same point, 0: none */
    struct map map;  /* point to group */
    uint64_t *first; /* by group: the first id that was not used yet, 0: none */
    uint64_t *last;
    size_t groups;
};

struct steer {
    struct driver *driver;
    const struct steer_protocol *protocol;
    void *state; /* of the protocol */
    struct spawner *spawner;
    unsigned line; /* of the spawner */
    char *name;    /* of the program, for messages */
    struct program *program;
    struct str input; /* that it said, and nobody has taken yet */
    uint64_t suggestions;
    uint64_t *offered; /* numbers of suggestions that no trial has yet, from `offered_next` on */
    size_t offered_next, offered_count, offered_capacity;
    size_t shortage; /* idle workers without a suggestion */
    struct recall recall;
    struct str final; /* what it said last, for the user */
    struct str last_words;
    bool running, closed, dismissed;
    uint64_t patience;  /* timer; 0: none */
    uint64_t log_timer; /* 0: none */
    uint64_t log_bytes; /* that are in the file */
};

/* ---- steer.c: for the driver ---- */

struct steer *steer_create(struct driver *driver, struct spawner *spawner, unsigned line);
void steer_free(struct steer *steer);
void steer_begin(struct steer *steer);
void steer_wanted(struct steer *steer, size_t count);
/* The search has just given the oldest offer out, as this trial. */
void steer_taken(struct steer *steer, struct live_trial *trial);
/* A trial has ended for good. */
void steer_told(struct steer *steer, struct live_trial *trial, const struct outcome *result);
/* Nothing is left to run: true when the program is gone, else it is on its way. */
bool steer_finish(struct steer *steer);

/* ---- steer.c: for the protocols ---- */

/* Offers a point as a new trial; `suggestion` is its number. */
void steer_offer(struct steer *steer, const double *point, uint64_t suggestion);
/* Has idle workers take what was offered. */
void steer_feed(struct steer *steer);
/* There are no more suggestions. */
void steer_close(struct steer *steer);
/* Keeps a text for the user: it is in DIR/final.txt at the end. */
void steer_keep_final(struct steer *steer, struct slice text);
/* The program did wrong, or died: the study stops, and says so. The output is shown before. */
void steer_fail(struct steer *steer, const char *format, ...) ERR_FORMAT(2, 3);
/* Gives it a minute to end by itself. */
void steer_wait(struct steer *steer);
/* How many more trials may be begun. */
uint64_t steer_left(const struct steer *steer);

/* ---- suggestion.c ---- */

/* Reads a suggestion, a JSON object, as a point of the space. ERR_USER says what is wrong. */
int suggestion_read(const struct space *space, struct slice text, double *point, struct err *e);

/* The same of a list of values, or of one value, in the order of the space. Constants may be left
 * out. */
int suggestion_read_row(const struct space *space, struct slice text, double *point, struct err *e);
/* True when the list has as many values as a suggestion, and one of them is the parameter's. */
bool suggestion_resembles(const struct space *space, struct slice row);
/* How many values a row has at least: constants do not count. */
size_t suggestion_width(const struct space *space);

/* ---- notation.c ---- */

/*
 * Appends a round of suggestions as JSON: objects, lists and values with ; between them. False when
 * it cannot be read. `by_spaces`: values without commas have spaces between them.
 */
bool notation_read(struct slice text, bool by_spaces, struct str *json);
/* True when it begins as JSON or a text of Python does, not as a row of values. */
bool notation_has_brackets(struct slice text);

/* ---- recall.c ---- */

/* Takes note of all trials of the journal. */
int recall_open(struct recall *recall, const struct journal *journal, struct err *e);
/* The oldest trial at this point that was not recalled yet, or 0. */
uint64_t recall_take(struct recall *recall, const double *point);
/* One of them has run again; NULL: it failed. All other ids mean nothing here. */
void recall_note(struct recall *recall, uint64_t id, const double *scores);
/* The scores of one that has ended. */
const double *recall_scores(const struct recall *recall, uint64_t id);
void recall_close(struct recall *recall);

#endif
