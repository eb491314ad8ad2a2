/*
 * journal - the record of a study, and the only truth about it.
 *
 * One append-only file of JSON lines, DIR/journal. One writer, guarded by a lock that the system
 * drops when its holder dies. A crash can tear the last line only; readers leave a line without its
 * newline out, and the next writer cuts it off. The lines:
 *
 *   {"wick":1,"study":NAME,"created":SECONDS,"seed":N,"folder":F,"definition":YAML}   the header
 *   {"open":SECONDS,"host":H,"pid":P,"workers":W,"trials":N}      a run or a resume began
 *   {"start":ID,"time":T,"worker":W,"params":{...}}               the first try has the params
 *   {"start":ID,"time":T,"worker":W,"try":2}                      a retry, or again after a resume
 *   {"end":ID,"time":T,"state":"done","score":S,...}              see journal_end()
 *   {"close":SECONDS,"why":W}                                     a run ended in order
 *
 * T is in seconds since "created". Trial ids count from 1 in the order of the suggestions. A trial
 * has ended when an "end" without "again":true stands; all else of a study is replayed from this.
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "base/base.h"
#include "study/study.h"
#include "trial/trial.h"

enum { JOURNAL_VERSION = 1 };

/* ---- reading: what status, best, list, report and resume stand on ---- */

struct journal_trial {
    double score;          /* NaN: none */
    float processor;       /* seconds */
    uint8_t state;         /* enum trial_state; TRIAL_RUNNING: started and not ended */
    uint8_t tries;         /* how often it was started */
    uint16_t worker;       /* where it ran last, from 1 */
    double started, ended; /* of the last try, seconds since `created`; ended is NaN when running */
    uint64_t params;       /* offset of the line that has its params */
    uint64_t end;          /* offset of its last "end" line, 0: none */
};

/* A journal in memory. Owns everything; ids 1 .. count are trials[0 .. count-1]. */
struct journal {
    char *dir;
    char *study_name;
    double created; /* seconds since 1970 */
    uint64_t seed;
    struct study study;
    struct journal_trial *trials;
    size_t count;
    uint32_t *completions; /* trial indexes in the order of their (final) ends */
    size_t completion_count;
    uint64_t workers; /* of the last run */
    uint64_t budget;  /* trials that the last run aimed at, 0: no limit */
    double last_time; /* the largest T */
    bool running;     /* some process holds the journal now */
    bool closed;      /* the last run ended in order */
    char why[32];     /* why it closed: "done", "target", "time", "interrupted", "exhausted" */
    char owner[128];  /* "process 123 on host n1", of the last run */
    const char *text; /* the file, mapped */
    size_t size;      /* of the whole lines */
};

/*
 * Loads DIR/journal. A folder that is no study, another version, or a line in the middle that does
 * not read is an error with the line's number; a torn last line is not.
 */
int journal_load(struct journal *journal, const char *dir, struct err *e);
void journal_free(struct journal *journal);

/* Fills the point of a trial (its params are read from the file when asked). */
int journal_point(const struct journal *journal, size_t index, double *point, struct err *e);

/* Everything that the "end" line of a trial says; result->state is RUNNING when there is none. */
int journal_result(const struct journal *journal, size_t index, struct trial_result *result,
                   struct err *e);

/* How many trials are in each state. */
struct journal_counts {
    size_t states[TRIAL_INTERRUPTED + 1];
    size_t ended, failed; /* failed: ended without a score, but not interrupted or stopped */
};
void journal_count(const struct journal *journal, struct journal_counts *counts);

/* Index of the best trial that is done, or -1; of equal scores the first to end. */
int64_t journal_best(const struct journal *journal);

/* The `count` best trials that are done, best first, into indexes; returns how many there are. */
size_t journal_top(const struct journal *journal, size_t count, uint32_t *indexes);

#endif
