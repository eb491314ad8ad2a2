/*
 * journal - the record of a study, and the only truth about it.
 *
 * One append-only file of JSON lines, DIR/journal. One writer, guarded by a lock that the system
 * drops when its holder dies. A crash can tear the last line only; readers leave a line without its
 * newline out, and the next writer cuts it off. The lines:
 *
 *   {"wick":1,"study":NAME,"created":SECONDS,"folder":F,"definition":TEXT}   the header
 *   {"earlier":N,"params":{...},"scores":[Y]}   a result of an earlier study, to learn from
 *   {"open":T,"host":H,"pid":P,"workers":W,"trials":N,"limit":S}   a run or a resume began
 *   {"nodes":N,"time":T,"seats":[["n1",1,64],["n2",65,127,2],...]}   after "open" where the
 * workers are on several nodes: the name, its first and last worker, and the step from one to the
 * next where that is not 1; a node may stand there more than once
 *   {"start":ID,"time":T,"worker":W,"params":{...}}   the first try has the parameters
 *                  and "queued":N when they are those of line N of DIR/queue
 *                  and "from":ID when it begins with the checkpoint of another trial
 *   {"start":ID,"time":T,"worker":W,"try":2}          a retry, again after a resume, or it was
 *                  paused and goes on
 *   {"move":ID,"time":T,"worker":W}                   it had not begun, and goes to another worker
 *   {"step":ID,"time":T,"n":S,"value":Y}              it has made step S; "try" where it is not the
 *                  first, "metrics":{...} where it told more; Y is null where that was no number,
 *                  and not there where it told other metrics only
 *   {"group":ID,"time":T,"members":[W,...]}           it has several ranks, on these workers
 *   {"lost":W,"time":T,"node":N}                      a worker was given up for dead
 *   {"end":ID,"time":T,"took":S,"worker":W,"state":"done","score":Y}
 *                  and where they say something: "scores":[Y,...] (of several objectives),
 *                  "violation" (of measured constraints), "cpu", "memory", "read", "written",
 *                  "energy", "exit", "signal", "reason", "metrics":{...}, "log" (its end),
 *                  "dropped", "again":true (it is tried again), "paused":true (it was stopped, and
 *                  may go on later)
 *   {"close":T,"why":W}                               a run ended in order
 *
 * Readers skip lines and fields that they do not know.
 *
 * T is in seconds since "created". Trial ids count from 1 in the order of the suggestions, and the
 * first starts stand in that order. A trial has ended when an "end" without "again" stands; all
 * else of a study is replayed from this.
 *
 * Beside the journal lie DIR/lock (who writes), DIR/study.yaml (for people), DIR/logs/ID.log (the
 * output of trials that failed or were the best), DIR/queue (points that the user wants tried),
 * DIR/stop (a request to end), DIR/tmp (files of running trials) and DIR/checkpoints/ID (what
 * trials go on from).
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "base/base.h"
#include "outcome/outcome.h"
#include "study/study.h"

enum { JOURNAL_VERSION = 1 };

/* Why the last run ended; the "close" record has its name. */
enum journal_end {
    END_NONE,        /* it has not ended in order: it still runs, or its process is gone */
    END_DONE,        /* the budget of trials is used up */
    END_EXHAUSTED,   /* the search has nothing left to try */
    END_TIME,        /* the time is up */
    END_DEADLINE,    /* no more trials are expected to finish before the machine is taken away */
    END_TARGET,      /* a score as good as the target was found */
    END_INTERRUPTED, /* a signal stopped it: Ctrl-C, or one from the scheduler */
    END_STOPPED,     /* the user stopped it with `wick stop` */
    END_BROKEN,      /* the disk is full, the helper is gone, the algorithm died: see the error */
    END_PREPARED,    /* the study was created, and no run has started yet */
    END_OTHER,       /* a name that this version does not know */
};

/* The name of an end as it stands in the journal; "" for END_NONE and END_OTHER. */
const char *journal_end_name(enum journal_end end);
/* The end with this name, END_OTHER for an unknown one. */
enum journal_end journal_end_read(const char *name);

/* ---- reading: what status, best, list, report and resume stand on ---- */

/*
 * Which steps of a trial count that had several tries. A try that begins at the first step again
 * makes those before it void. One that goes on from a checkpoint adds the steps that are new; those
 * that it makes again do not count. Start with {0}.
 */
struct journal_curve {
    uint32_t try;         /* whose steps count now */
    uint32_t voided;      /* those of the tries before this one are void */
    uint64_t first, last; /* steps that count */
};

enum journal_place { JOURNAL_REPEATED, JOURNAL_NEXT, JOURNAL_ANEW };

/* What becomes of the next step: JOURNAL_ANEW makes all before it void. */
enum journal_place journal_curve_add(struct journal_curve *curve, unsigned try, uint64_t step);

struct journal_trial {
    double score;          /* NaN: none */
    float processor;       /* seconds */
    uint8_t state;         /* enum outcome_state; OUTCOME_RUNNING: started and not ended */
    uint8_t tries;         /* how often it was started */
    uint8_t failures;      /* how often it failed, of those; interruptions do not count */
    bool on_front;         /* of several objectives: it is on the Pareto front */
    bool queued;           /* its point is the user's own, not of the search */
    bool paused;           /* it was stopped, and may go on from where it is */
    uint32_t worker;       /* where it ran last, from 1; 0: on its way to one */
    uint32_t steps;        /* that it reported and that count */
    uint32_t origin;       /* the trial whose checkpoint it began with, 0: none */
    double started, ended; /* of the last try, seconds since `created`; ended is NaN when running */
    uint64_t params;       /* offset of the line that has its params */
    uint64_t end;          /* offset of its last "end" line, 0: none */
    double violation;      /* by how much it breaks measured constraints; 0: not */
};

/*
 * What else is known of a trial that reports steps or has several ranks. It lies apart, because
 * there may be a million trials, and most studies of so many have none of it.
 */
struct journal_progress {
    uint64_t step;      /* offset of the last "step" line of this try that has a value, 0: none */
    uint64_t team;      /* offset of its last "group" line, 0: none */
    uint64_t paused_at; /* its last step when it was paused last, 0: it never was */
    struct journal_curve curve;
};

/* Where workers of a run are: first, first + step, ... last. */
struct journal_placement {
    double since; /* begin of the run, as the times of trials */
    uint32_t first, last, step;
    char node[128];
};

struct journal_loader; /* what reading on needs */

/* A journal in memory. Owns everything; ids 1 .. count are trials[0 .. count-1]. */
struct journal {
    char *dir;
    double created; /* seconds since 1970 */
    struct study study;
    struct journal_trial *trials;
    size_t count;
    struct journal_progress *progress; /* of the first trials: see journal_progress() */
    size_t progress_count;
    /* Of several objectives; of one these are NULL. */
    double *scores; /* so many numbers a trial, NaN: none */
    /*
     * The Pareto front: indexes of the valid trials to which no other is better in one score and as
     * good in all. The best first score comes first; of equal trials only the first to end counts.
     */
    uint32_t *front;
    size_t front_count;
    uint64_t *earlier; /* offsets of the lines with results of earlier studies */
    size_t earlier_count;
    uint32_t *completions; /* trial indexes in the order of their (final) ends */
    size_t completion_count;
    uint64_t queued;                      /* lines of DIR/queue that were used */
    uint64_t workers;                     /* of the last run */
    uint64_t lost;                        /* of these: given up for dead */
    uint32_t *lost_workers;               /* which they are */
    struct journal_placement *placements; /* of all runs, in their order */
    size_t placement_count;
    uint64_t budget;      /* trials that the last run aimed at, 0: no limit */
    double limit;         /* wall time in seconds that it had, 0: no limit */
    double spent;         /* seconds that all runs together were at work */
    double last_time;     /* the largest T */
    bool running;         /* some process holds the journal now */
    enum journal_end end; /* why the last run ended, END_NONE: it did not end in order */
    char why[32];    /* its name in the journal, also one that is not known here; "" for END_NONE */
    char owner[160]; /* "process 123 on n1", of the last run */
    char host[128];  /* "n1" of it */
    const char *text; /* the file, mapped */
    size_t size;      /* of the whole lines */
    size_t file_size; /* with a torn last line */
    struct journal_loader *loader;
};

/*
 * Loads DIR/journal. A folder that is no study, another version, or a line in the middle that does
 * not read is an error with the line's number; a torn last line is not.
 */
int journal_load(struct journal *journal, const char *dir, struct err *e);
/*
 * Reads what was appended since, which costs as much as there is of that; a file that another one
 * has replaced is loaded anew. On an error the journal can only be freed.
 */
int journal_follow(struct journal *journal, struct err *e);
/* Frees all of it, in any state. */
void journal_free(struct journal *journal);

/* The progress of a trial, which is all zero when it has made none. */
const struct journal_progress *journal_progress(const struct journal *journal, size_t index);

/* Fills the point of a trial (its params are read from the file when asked). */
int journal_point(const struct journal *journal, size_t index, double *point, struct err *e);

/* Result `index` of an earlier study: its point, and so many scores. */
int journal_earlier(const struct journal *journal, size_t index, double *point, double *scores,
                    size_t objectives, struct err *e);

/*
 * Everything that the "end" line of a trial says, with the end of its log; result->state is RUNNING
 * when there is none.
 */
int journal_result(const struct journal *journal, size_t index, struct outcome *result,
                   struct err *e);

/*
 * Replaces the end of the log by all that was kept of it in DIR/logs, if anything was; of a trial
 * that runs, by what it has printed until a few seconds ago.
 */
void journal_log(const struct journal *journal, size_t index, struct outcome *result);

/*
 * A step that a trial reported, or, where `ended` is true, that it ended for good or was paused;
 * where `started` is true, that a later try of it began.
 */
struct journal_step {
    size_t index; /* of the trial */
    unsigned try;
    bool started, ended, paused;
    uint64_t step;
    double time, value;   /* value: NaN when it was no number */
    bool unscored;        /* it had none: value says nothing */
    struct slice metrics; /* as they stand in the line: {...}; empty: none */
};

/* A walk over all steps of all trials, their tries and ends; or over those of one that count. */
struct journal_walk {
    const struct journal *journal;
    int64_t index; /* JOURNAL_ALL, or a trial */
    size_t at;     /* offset of the next line */
    uint32_t left; /* of one trial: steps to come */
    struct journal_curve curve;
};

enum { JOURNAL_ALL = -1 };

/* A walk from the start of the journal, over one trial or JOURNAL_ALL. */
struct journal_walk journal_walk(const struct journal *journal, int64_t index);
/* The next one in the order of the file; false at the end. Of one trial there are steps only. */
bool journal_next_step(struct journal_walk *walk, struct journal_step *step);

/*
 * The last step with a value that the trial has made in its last try; false when there is none.
 */
bool journal_last_step(const struct journal *journal, size_t index, struct journal_step *step);

/* The node where a trial ran last; "": not known. */
const char *journal_node(const struct journal *journal, size_t index);
/*
 * The first of the placement of the last run; theirs go on to the end of journal->placements.
 */
const struct journal_placement *journal_last_placement(const struct journal *journal);
/*
 * The workers that a trial ran on last, up to `most`: one, or those of its group. Returns how many.
 */
size_t journal_workers(const struct journal *journal, size_t index, uint32_t *workers, size_t most);

/* True when a trial has a score: it is done, or was stopped after a step. */
bool journal_scored(const struct journal_trial *trial);

/* How many trials are in each state. */
struct journal_counts {
    size_t states[OUTCOME_INTERRUPTED + 1];
    size_t ended, failed; /* failed: ended without a score, but not interrupted or stopped */
};
/* Counts the trials of a journal. */
void journal_count(const struct journal *journal, struct journal_counts *counts);

/* True when a trial may be the best: it has a score, and breaks no constraint. */
bool journal_is_valid(const struct journal_trial *trial);

/* The scores of a trial, study_objectives() of them; NaN: none. */
const double *journal_scores(const struct journal *journal, size_t index);

/*
 * Index of the best valid trial, or -1; of equal scores the first to end. With several objectives
 * it is the trial of the front that has the best first score.
 */
int64_t journal_best(const struct journal *journal);

/*
 * The `count` best valid trials, best first, into indexes; returns how many there are. With several
 * objectives it is the begin of the front.
 */
size_t journal_top(const struct journal *journal, size_t count, uint32_t *indexes);

/* ---- who writes ---- */

struct journal_holder {
    char name[256];              /* for people: "Slurm job 123 (process 77 on n1)" */
    char scheduler[16], id[128]; /* of its job, for launch_ask(); "": it is none */
    char task[32];               /* of an array whose tasks share that number; "": it is none */
    char host[128];              /* where its process is; "": not known */
    int pid;
};

/*
 * True when somebody holds the journal, as far as the file system tells. After the loss of a node a
 * network file system may take a minute or two to see that its process is gone.
 */
bool journal_is_held(const char *dir, struct journal_holder *holder);

/* ---- writing: for the driver alone ---- */

struct journal_writer;

/*
 * Makes the folder and a journal with its header. The folder may exist when it has no journal.
 * ERR_USER when it has one.
 */
int journal_create(struct journal_writer **writer, const char *dir, const struct study *study,
                   struct err *e);

/*
 * Opens the journal of a study that is loaded, to go on: cuts a torn last line off. Both this and
 * journal_create() take the lock, and are ERR_USER with the holder's name when another has it.
 */
int journal_open(struct journal_writer **writer, const struct journal *journal, struct err *e);

/* The study's time, in seconds since it was created, at which this writer began. */
double journal_began(const struct journal_writer *writer);

/*
 * Each appends one line and returns at once; a thread writes and syncs in groups. Times are seconds
 * since the study was created.
 */
void journal_opened(struct journal_writer *writer, double time, uint64_t workers, uint64_t trials,
                    double limit);
/*
 * Where the workers are, after journal_opened(): on so many nodes, and names[worker - 1] is the
 * node of a worker. The names are set to NULL.
 */
void journal_placed(struct journal_writer *writer, double time, uint64_t nodes, const char **names,
                    uint64_t workers);
/* A result of an earlier study; their numbers count from 1. */
void journal_learned(struct journal_writer *writer, uint64_t number, const struct space *space,
                     const double *point, const double *scores, size_t objectives);
/* point: of the first try; NULL for later ones. */
void journal_start(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                   unsigned try, const struct space *space, const double *point);
/* The first try of a trial that begins with the checkpoint of another one, `origin`. */
void journal_start_from(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                        const struct space *space, const double *point, uint64_t origin);
/* The first try of a point that the user has queued, in this line of DIR/queue. */
void journal_start_queued(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                          const struct space *space, const double *point, uint64_t line);
/* The try that was started goes to another worker. */
void journal_move(struct journal_writer *writer, uint64_t id, double time, unsigned worker);
/* A trial has made a step. */
void journal_step(struct journal_writer *writer, uint64_t id, double time, unsigned try,
                  const struct outcome_step *step);
/* The workers that run a trial together, after its start: written where they are several. */
void journal_team(struct journal_writer *writer, uint64_t id, double time, const int *workers,
                  unsigned count);
/* A worker was given up for dead. What it had ends as interrupted, and starts again. */
void journal_lost(struct journal_writer *writer, double time, unsigned worker, const char *node);
/* A try has ended; again: another one follows. */
void journal_end(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                 const struct outcome *result, bool again);

/*
 * Has the writer's thread keep an output as DIR/logs/ID.log, where `wick show` finds it; NULL
 * removes that of an earlier try. That it could not be written is no error: its end is in the
 * journal.
 */
void journal_keep_log(struct journal_writer *writer, uint64_t id, const struct str *log);

/*
 * Lines are written when journal_flush() says so and by nobody else; to be called before the first.
 * A flushed line survives the death of this process; it is synced in groups, as ever.
 */
void journal_flushes(struct journal_writer *writer);
/* Returns when all lines so far are in the file; non-zero when they cannot be written. */
int journal_flush(struct journal_writer *writer, struct err *e);

/* How many records were appended. */
uint64_t journal_appended(const struct journal_writer *writer);
/* How many of these are safely on disk. */
uint64_t journal_synced(struct journal_writer *writer);
/* Readable when more lines were synced or writing failed; journal_synced() empties it. */
int journal_descriptor(const struct journal_writer *writer);
/* Non-zero once writing has failed (disk full...): nothing more is written from then on. */
int journal_failed(struct journal_writer *writer, struct err *e);

/* Writes a "close" line (none for END_NONE), syncs, drops the lock and frees the writer. */
int journal_close(struct journal_writer *writer, double time, enum journal_end end, struct err *e);

#endif
