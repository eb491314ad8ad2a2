/*
 * journal - everything that happened in a study, and the only truth about it.
 *
 * One append-only file, DIR/journal, with one JSON object per line: a record. There is one writer,
 * guarded by a lock that the system drops when its holder dies. A killed process can tear only the
 * last record; readers ignore a record without its newline, and the next writer cuts it off. Each
 * record ends in its number and a checksum, so all other damage is noticed, whether a crash of the
 * machine, the disk or an editor did it: readers leave out what is damaged, keep everything else,
 * and say what is missing; the next writer mends the file. The records:
 *
 *   {"wick":2,"study":NAME,"created":SECONDS,"key":K,"folder":F,"definition":TEXT}   the head
 *                  and "home":F if the study file is not in the folder where trials run
 *                  and "file":PATH if the study came from a file, with "says":TEXT, what the file
 *                  alone says, if the definition says more: options of the command line
 *   {"change":T,"keys":[[KEY,OLD,NOW],...]}   from now on, these keys of the study have other
 *                  values: "model.timeout" and the like, YAML on one line, and null if a key is
 *                  not set; with "says":TEXT if the study file has changed, and says this now;
 *                  without keys if the file now says what options had said before
 *   {"earlier":N,"params":{...},"scores":[Y]}   a result of an earlier study, to learn from
 *   {"open":T,"host":H,"pid":P,"workers":W,"trials":N,"limit":S}   a run or a resume started
 *                  and "job":ID if it is in a job of a scheduler
 *   {"nodes":N,"time":T,"seats":[["n1",1,64],["n2",65,127,2],...]}   after "open" if the workers
 *                  are on several nodes: the name of a node, its first and last worker, and the
 *                  step from one worker to the next if it is not 1; a node may appear more than
 *                  once. Workers that rest (an MPI job with more ranks than it wants) are in none,
 *                  and W does not count them, so numbers of workers may be larger than W
 *   {"start":ID,"time":T,"worker":W,"params":{...}}   the first try has the parameters
 *                  and "queued":N if they are line N of DIR/queue
 *                  and "from":ID if it starts from the checkpoint of another trial
 *   {"start":ID,"time":T,"worker":W,"try":2}          a later try: after a failure or a resume, or
 *                  because the trial was paused and is promoted
 *   {"move":ID,"time":T,"worker":W}                   before it starts, it goes to another worker
 *   {"step":ID,"time":T,"n":S,"value":Y}              it has made step S; with "try" if it is not
 *                  the first, and "metrics":{...} if it reported more; Y is null if it was not a
 *                  number, and missing if only other metrics were reported
 *   {"group":ID,"time":T,"members":[W,...]}           its team, if it has several ranks
 *   {"lost":W,"time":T,"node":N}                      a worker is considered dead
 *   {"end":ID,"time":T,"took":S,"worker":W,"state":"done","score":Y}
 *                  and, where they mean something, "scores":[Y,...] (several objectives),
 *                  "violation" (measured constraints), "cpu", "memory", "read", "written",
 *                  "energy", "exit", "signal", "reason", "metrics":{...}, "log" (the end of it),
 *                  "dropped", "again":true (it is started again), "paused":true (it was stopped,
 *                  and may be promoted later)
 *   {"pace":ID,"time":T,"quick":true,"cost":S}        from this trial on the search makes quick
 *                  suggestions, since trials are faster than it thinks, or with false thorough ones
 *                  again; the last thorough one took S seconds
 *   {"close":T,"why":W}                               a run ended normally
 *   {"repair":T,"records":N,"trials":M,"bytes":B}     behind the head: the file was mended; N
 *                  records and B damaged bytes were lost, and up to M starts of trials; with
 *                  "more":true if more records may have been lost: at the end of the file, or
 *                  some without numbers
 *
 * Each ends in "seq":N,"sum":S: seal.h describes them. Journals of version 1 have no seals; a wick
 * that continues one adds sealed records to it. Readers skip keys that they do not know, and leave
 * out records of an unknown kind.
 *
 * T is in seconds since "created". Trial ids count from 1 in the order of the suggestions, and the
 * first tries start in that order. A trial has ended once there is an "end" without "again". The
 * state of a study is replayed from these records. study.h lists the other files of a study folder.
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "base/base.h"
#include "outcome/outcome.h"
#include "study/study.h"

enum { JOURNAL_VERSION = 2, JOURNAL_UNSEALED = 1 /* the version without seals, still read */ };

/* Why the last run ended; the "close" record has its name. */
enum journal_end {
    END_NONE,        /* it has not ended normally: it still runs, or its process is gone */
    END_DONE,        /* the budget of trials is used up */
    END_EXHAUSTED,   /* the search has nothing left to try */
    END_TIME,        /* the time is up */
    END_DEADLINE,    /* no more trials are expected to finish before the machine is taken away */
    END_TARGET,      /* a score as good as the target was found */
    END_INTERRUPTED, /* a signal stopped it: Ctrl-C, or one from the scheduler */
    END_STOPPED,     /* the user stopped it with `wick stop` */
    END_HALTED,      /* its trials failed alike, and none succeeded */
    END_BROKEN,      /* the disk is full, the helper is gone, ...: see `failure` of the journal */
    END_PREPARED,    /* the study was created, and no run has started yet */
    END_OTHER,       /* a name that this version does not know */
};

/* The name of an end in the journal; "" for END_NONE and END_OTHER. */
const char *journal_end_name(enum journal_end end);
/* The end with this name; END_OTHER for an unknown one. */
enum journal_end journal_end_read(const char *name);

/* ---- reading: what status, best, list, report and resume are built on ---- */

/*
 * Which steps count if a trial had several tries. A try that starts again at the first step voids
 * the steps before it. A try that continues from a checkpoint adds its new steps; those that it
 * repeats do not count. Start with {0}.
 */
struct journal_curve {
    uint32_t try;         /* the try whose steps count now */
    uint32_t voided;      /* the steps of all tries before this one are void */
    uint64_t first, last; /* steps that count */
};

/* Whether a step repeats an earlier one, continues the curve, or starts it again. */
enum journal_place { JOURNAL_REPEATED, JOURNAL_NEXT, JOURNAL_ANEW };

/* Adds the next step, and says whether it counts; JOURNAL_ANEW voids all steps before it. */
enum journal_place journal_curve_add(struct journal_curve *curve, unsigned try, uint64_t step);

/* What is kept of each trial. */
struct journal_trial {
    double score;      /* NaN: none */
    float processor;   /* seconds */
    uint32_t tries;    /* number of times it was started */
    uint8_t state;     /* enum outcome_state; OUTCOME_RUNNING: started and not ended */
    uint8_t failures;  /* number of tries that failed; interruptions do not count */
    bool on_front : 1; /* with several objectives: it is on the Pareto front */
    bool queued : 1;   /* its point comes from the user's queue, not from the search */
    bool paused : 1;   /* it was stopped, and may be promoted */
    uint32_t worker;   /* where it ran last, from 1; 0: on its way to a worker */
    uint32_t steps;    /* reported steps that count */
    uint32_t origin;   /* the trial whose checkpoint it started from; 0: none */
    /* Of the last try, in seconds since `created`. ended is NaN while it runs; lost: both are. */
    double started, ended;
    uint64_t params;  /* offset of the record with its parameters; 0: that record is lost */
    uint64_t end;     /* offset of its last "end" record; 0: none */
    double violation; /* by how much it violates measured constraints; 0: not at all */
};

/*
 * What else is known about a trial that reports steps or has several ranks. It is kept apart,
 * because there may be a million trials, and most studies of that size have none of it.
 */
struct journal_progress {
    uint64_t step;      /* offset of the last "step" record of this try with a value; 0: none */
    uint64_t team;      /* offset of its last "group" record; 0: none */
    uint64_t paused_at; /* its last step when it was last paused; 0: it never was */
    struct journal_curve curve;
};

/* The node of some workers of a run: first, first + step, ... last. */
struct journal_placement {
    uint32_t first, last, step;
    char node[128];
};

/* A run of the study. */
struct journal_run {
    double since, seconds; /* its start, on the same clock as trials; how long it took so far */
    uint32_t nodes;        /* number of nodes that it ran on */
    uint32_t last;         /* the largest number of a worker */
    char job[128];         /* the ID of its job; "": it was not in one */
    size_t placements;     /* index of its first placement; they end where the next run's start */
};

/* What takes the place of a damaged head. */
enum journal_head {
    JOURNAL_HEAD_WHOLE,   /* nothing: it is not damaged */
    JOURNAL_HEAD_COPIED,  /* DIR/study.yaml as it was written */
    JOURNAL_HEAD_EDITED,  /* DIR/study.yaml, which was edited since */
    JOURNAL_HEAD_GUESSED, /* a study file in its place: names and dates are guessed */
};

/* What can be wrong with the file of a journal. */
enum journal_flaw_kind {
    FLAW_HEAD,    /* the head is damaged; DIR/study.yaml was used in its place */
    FLAW_BYTES,   /* bytes that are no record */
    FLAW_GAP,     /* records are missing */
    FLAW_RECORD,  /* a record that contradicts those before it */
    FLAW_NEWLINE, /* only newlines are missing, or too many */
};

/* A damaged place in the file. */
struct journal_flaw {
    enum journal_flaw_kind kind;
    uint64_t line;           /* from 1 */
    uint64_t offset, length; /* in bytes */
    uint64_t first, missing; /* number of the first missing record, and how many; 0: not known */
    bool at_end;             /* nothing whole follows: nobody knows how many records are missing */
    char what[96];           /* what it was, or why it cannot be; "": not known */
};

/* The damage of a journal, since it was last mended. */
struct journal_damage {
    struct journal_flaw *flaws; /* the first ones */
    size_t kept, capacity, count;
    uint64_t missing, bytes; /* records that are known to be missing; damaged bytes */
    bool more;               /* nobody knows what else is missing */
    enum journal_head head;
    uint64_t unknown;                /* records of kinds that this wick does not know */
    char unknown_kind[32];           /* the first of these kinds */
    uint64_t mended, mended_records; /* how often it was mended; records that were lost before */
    bool mended_more;                /* nobody knows what else was lost before */
};

struct journal_loader; /* the state of reading, for further records */

/* A journal in memory. Owns everything; ids 1 .. count are trials[0 .. count-1]. */
struct journal {
    char *dir;
    double created;     /* seconds since 1970 */
    struct study study; /* with all changes; after one, the earlier study stays in memory */
    struct journal_trial *trials;
    size_t count;
    struct journal_progress *progress; /* for the first trials; see journal_progress() */
    size_t progress_count;
    /* NULL unless there are several objectives. */
    double *scores; /* one number per objective for each trial; NaN: none */
    /*
     * The Pareto front: indexes of the valid trials that no other trial dominates. The best first
     * score comes first; of equal trials, only the first to end counts.
     */
    uint32_t *front;
    size_t front_count;
    uint64_t *earlier; /* offsets of the records with results of earlier studies */
    size_t earlier_count;
    uint32_t *completions; /* trial indexes in the order of their final ends */
    size_t completion_count;
    uint64_t queued;                      /* number of lines of DIR/queue that were used */
    uint64_t workers;                     /* number of workers of the last run */
    uint64_t lost;                        /* number of these that are considered dead */
    uint32_t *lost_workers;               /* the numbers of these workers */
    struct journal_placement *placements; /* placements of all runs, in their order */
    size_t placement_count;
    struct journal_run *runs; /* in their order */
    size_t run_count;
    uint64_t budget;      /* number of trials that the last run aimed for; 0: no limit */
    double limit;         /* its limit on wall time in seconds; 0: none */
    double spent;         /* total seconds of all runs */
    double last_time;     /* the largest T */
    double cost;          /* seconds that a thorough suggestion took; 0: not known */
    bool quick;           /* the last suggestions were quick: see the record "pace" */
    bool running;         /* a process holds the journal now */
    enum journal_end end; /* why the last run ended; END_NONE: it did not end normally */
    char why[32];      /* its name in the journal, even if it is not known here; "" for END_NONE */
    char failure[256]; /* for END_BROKEN: the error, unless another run holds the journal */
    char owner[160];   /* process of the last run: "process 123 on n1" */
    char host[128];    /* node of the last run: "n1" */
    struct journal_damage damage;
    uint64_t key;     /* see seal.h; 0: the journal has version 1 */
    uint64_t records; /* number of the last record */
    const char *text; /* the file in memory; what is damaged consists of newlines */
    size_t size;      /* size of the complete records in bytes */
    size_t file_size; /* size including a torn last record */
    struct journal_loader *loader;
    struct study *replaced; /* what `study` was before each change */
    size_t replaced_count, replaced_capacity;
};

/*
 * Loads DIR/journal. ERR_USER for a folder that is not a study, and for a later version. A torn
 * last record is not an error. Neither is damage: everything that is whole is loaded, and `damage`
 * says what is missing. Only a damaged head without DIR/study.yaml to recover it from is one, or
 * with that of another run.
 */
int journal_load(struct journal *journal, const char *dir, struct err *e);
/* The same if parts of the file cannot be read, as on a broken disk: they count as damaged. */
int journal_load_readable(struct journal *journal, const char *dir, struct err *e);
/*
 * Reads the records appended since; the cost depends on their number only. A file that was replaced
 * is loaded again. After an error, the journal can only be freed.
 */
int journal_follow(struct journal *journal, struct err *e);
/*
 * Changes the study in memory, as a "change" record does for whoever reads the journal next, and
 * its budget. ERR_USER if the result is not a valid study.
 */
int journal_change(struct journal *journal, const struct study_changes *changes, struct err *e);
/* Frees all memory of a loaded journal. */
void journal_free(struct journal *journal);

/* The progress of a trial; all zero if it has made none. */
const struct journal_progress *journal_progress(const struct journal *journal, size_t index);

/* ---- damage ---- */

/* True if the record with the parameters of a trial is lost: it runs again, with other parameters.
 */
bool journal_is_lost(const struct journal_trial *trial);
/* True if nothing is damaged or missing, as far as one can see. */
bool journal_is_whole(const struct journal *journal);
/* Appends what is damaged and missing, in part of a sentence. */
void journal_put_damage(const struct journal *journal, struct str *s);
/* Appends where and what the damage is: one line for each flaw, up to `most` of them. */
void journal_put_flaws(const struct journal *journal, size_t most, struct str *s);
/*
 * Fills the ids of the trials that run again because of damage, up to `most`: their parameters are
 * lost, or their end may be. Returns their number.
 */
size_t journal_damaged_trials(const struct journal *journal, uint32_t *ids, size_t most);

/* Fills the point of a trial, which is read from the file; NaN if it is lost. */
int journal_point(const struct journal *journal, size_t index, double *point, struct err *e);

/* The lines of DIR/queue that trials came from, in ascending order; free() them. */
uint64_t *journal_queue_lines(const struct journal *journal, size_t *count);

/* Fills the point and the scores of result `index` of the earlier studies. */
int journal_earlier(const struct journal *journal, size_t index, double *point, double *scores,
                    size_t objectives, struct err *e);

/*
 * Fills everything that the "end" record of a trial says, with the end of its log; the state is
 * OUTCOME_RUNNING if there is none.
 */
int journal_result(const struct journal *journal, size_t index, struct outcome *result,
                   struct err *e);

/*
 * Replaces the end of the log by the file in DIR/logs, if there is one; for a running trial, by
 * what it had printed when somebody last asked for that (see inbox.h). An error if it cannot be
 * read.
 */
int journal_log(const struct journal *journal, size_t index, struct outcome *result, struct err *e);

/*
 * A step that a trial reported; or, if `ended` is true, its final end or pause; or, if `started` is
 * true, the start of a later try.
 */
struct journal_step {
    size_t index; /* index of the trial */
    unsigned try;
    bool started, ended, paused;
    uint64_t step;
    double time, value;   /* value: NaN if it was not a number */
    bool unscored;        /* the step had no value */
    struct slice metrics; /* as written in the record: {...}; empty: none */
};

/* A walk over the steps, tries and ends of all trials; or over the steps of one that count. */
struct journal_walk {
    const struct journal *journal;
    int64_t index; /* JOURNAL_ALL, or a trial */
    size_t at;     /* offset of the next record */
    uint32_t left; /* for one trial: steps still to come */
    struct journal_curve curve;
};

enum { JOURNAL_ALL = -1 };

/* Starts a walk; the journal must outlive it. */
struct journal_walk journal_walk(const struct journal *journal, int64_t index);
/* Reads the next one in the order of the file; false at the end. For one trial: steps only. */
bool journal_next_step(struct journal_walk *walk, struct journal_step *step);

/* The last step of its last try that has a value; false if there is none. */
bool journal_last_step(const struct journal *journal, size_t index, struct journal_step *step);

/* The node where a trial ran last; "": unknown. */
const char *journal_node(const struct journal *journal, size_t index);
/* The ID of the job in which a trial ran last; "": none. */
const char *journal_job(const struct journal *journal, size_t index);
/* The first placement of the last run; the others follow, up to the end of the array. */
const struct journal_placement *journal_last_placement(const struct journal *journal);
/* The hours of all runs, each times its number of nodes. */
double journal_node_hours(const struct journal *journal);
/* True if the journal says who runs the study; if not, that record is damaged. */
bool journal_knows_run(const struct journal *journal);
/* The workers that a trial ran on last, up to `most`: one, or its team. Returns their number. */
size_t journal_workers(const struct journal *journal, size_t index, uint32_t *workers, size_t most);

/* True if a trial has a score: it is done, or was stopped after a step. */
bool journal_scored(const struct journal_trial *trial);

/* The number of trials in each state. */
struct journal_counts {
    size_t states[OUTCOME_INTERRUPTED + 1];
    size_t ended, failed; /* failed: ended without a score, but not interrupted or stopped */
};
/* Counts the trials by state. */
void journal_count(const struct journal *journal, struct journal_counts *counts);

/*
 * True if a run of the study has started. If not, its first run ended while it set the study up:
 * some of the earlier results that it should learn from may not be in the journal.
 */
bool journal_is_begun(const struct journal *journal);

/* True if a trial may be the best: it has a score and violates no constraint. */
bool journal_is_valid(const struct journal_trial *trial);

/* The scores of a trial, one per objective; NaN: none. */
const double *journal_scores(const struct journal *journal, size_t index);

/*
 * Index of the best valid trial, or -1; of equal scores, the first to end. With several objectives,
 * the trial on the front with the best first score.
 */
int64_t journal_best(const struct journal *journal);

/*
 * Fills the indexes of the `count` best valid trials, best first; returns their number. With
 * several objectives, the start of the front.
 */
size_t journal_top(const struct journal *journal, size_t count, uint32_t *indexes);

/* ---- who writes ---- */

/* Who holds a journal. */
struct journal_holder {
    char name[256];              /* for people: "Slurm job 123 (process 77 on n1)" */
    char scheduler[16], id[128]; /* its job, for launch_ask(); "": none */
    char task[32];               /* its task of a job array; "": none */
    char host[128];              /* the node of its process; "": unknown */
    int pid;
};

/*
 * True if somebody holds the journal, as far as the file system knows. After the loss of a node, a
 * network file system may need a minute or two to notice.
 */
bool journal_is_held(const char *dir, struct journal_holder *holder);

/* ---- writing: for the driver alone ---- */

struct journal_writer;

/*
 * Creates the folder and a journal with its header. The folder may exist; ERR_USER if it has a
 * journal.
 */
int journal_create(struct journal_writer **writer, const char *dir, const struct study *study,
                   struct err *e);

/*
 * Opens the journal of a loaded study to continue it, and cuts off a torn last record. A damaged
 * file is mended: a new one has all that is whole, and the damaged one is kept as
 * DIR/journal.damaged. This and journal_create() take the lock; ERR_USER, with the name of the
 * holder, if another process has it.
 */
int journal_open(struct journal_writer **writer, const struct journal *journal, struct err *e);

/* The name under which journal_open() has kept the damaged file in DIR; NULL: it was not damaged.
 */
const char *journal_kept(const struct journal_writer *writer);

/*
 * Writes DIR/study.yaml: a copy of the study for people, from which a damaged head of the journal
 * is recovered.
 */
int journal_write_copy(const struct journal_writer *writer, const struct study *study,
                       struct err *e);

/* Records changes of the study, after journal_open() and before journal_opened(). */
void journal_changed(struct journal_writer *writer, double time,
                     const struct study_changes *changes);

/* The time when this writer started, in seconds since the study was created. */
double journal_began(const struct journal_writer *writer);

/*
 * Each of the following appends one record and returns at once; a thread writes them and syncs
 * several at a time. Times are in seconds since the study was created. This one: a run has started.
 */
void journal_opened(struct journal_writer *writer, double time, uint64_t workers, uint64_t trials,
                    double limit);
/*
 * The placement of the workers, after journal_opened(): names[worker - 1] is the node of a worker,
 * NULL if it rests. The names are set to NULL.
 */
void journal_placed(struct journal_writer *writer, double time, uint64_t nodes, const char **names,
                    uint64_t workers);
/* A result of an earlier study; `number` counts from 1. */
void journal_learned(struct journal_writer *writer, uint64_t number, const struct space *space,
                     const double *point, const double *scores, size_t objectives);
/* A try of a trial has started; `point` is NULL for all but the first. */
void journal_start(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                   unsigned try, const struct space *space, const double *point);
/* The first try of a trial that starts from the checkpoint of trial `origin`. */
void journal_start_from(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                        const struct space *space, const double *point, uint64_t origin);
/* The first try of a point from this line of DIR/queue. */
void journal_start_queued(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                          const struct space *space, const double *point, uint64_t line);
/* From trial `id` on, the search makes quick or again thorough suggestions. */
void journal_pace(struct journal_writer *writer, uint64_t id, double time, bool quick, double cost);
/* A started try goes to another worker. */
void journal_move(struct journal_writer *writer, uint64_t id, double time, unsigned worker);
/* A trial has made a step. */
void journal_step(struct journal_writer *writer, uint64_t id, double time, unsigned try,
                  const struct outcome_step *step);
/* The team of a trial of several ranks, after its start. */
void journal_team(struct journal_writer *writer, uint64_t id, double time, const int *workers,
                  unsigned count);
/* A worker is considered dead. Its trial ends as interrupted, and starts again. */
void journal_lost(struct journal_writer *writer, double time, unsigned worker, const char *node);
/* A try has ended; `again`: the trial is going to be started again. */
void journal_end(struct journal_writer *writer, uint64_t id, double time, unsigned worker,
                 const struct outcome *result, bool again);

/*
 * Has the thread of the writer keep the output of a trial as DIR/logs/ID.log, for `wick show`; NULL
 * removes that of an earlier try. A failure to write it is not an error, since the end of the
 * output is in the journal.
 */
void journal_keep_log(struct journal_writer *writer, uint64_t id, const struct str *log);

/*
 * From now on, records are written only by journal_flush(); to be called before the first record. A
 * flushed record survives the death of this process; the thread still syncs it later.
 */
void journal_flushes(struct journal_writer *writer);
/* Returns when all records so far are in the file; non-zero if they cannot be written. */
int journal_flush(struct journal_writer *writer, struct err *e);

/* The number of records that were appended. */
uint64_t journal_appended(const struct journal_writer *writer);
/* The number of records that are safely on disk. */
uint64_t journal_synced(struct journal_writer *writer);
/* Readable once more records are synced or writing has failed; journal_synced() empties it. */
int journal_descriptor(const struct journal_writer *writer);
/* Non-zero once writing has failed (disk full, ...); nothing more is written from then on. */
int journal_failed(struct journal_writer *writer, struct err *e);

/*
 * Says why the run ends, for journal_close() with END_NONE: readers learn it from DIR/lock. A
 * failure to write the journal, of which no record can tell, needs no such call.
 */
void journal_blame(struct journal_writer *writer, const struct err *e);

/* Writes a "close" record (none for END_NONE), syncs, drops the lock and frees the writer. */
int journal_close(struct journal_writer *writer, double time, enum journal_end end, struct err *e);

#endif
