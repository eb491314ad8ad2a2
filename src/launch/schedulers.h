/*
 * schedulers.h - what is known about a scheduler: one row of the table (private to launch).
 *
 * A row is data only. Directives are templates: {word} is replaced by what the plan says, and a
 * part in <...>, or else the whole line, is left out where the plan does not say it.
 */
#ifndef LAUNCH_SCHEDULERS_H
#define LAUNCH_SCHEDULERS_H

#include "launch/launch.h"

/* How a program tells the state of a job. */
enum scheduler_answer {
    ANSWER_FIELDS,     /* "STATE|DETAIL", of this job only */
    ANSWER_COLUMNS,    /* a table; the job's number is the first word of its line */
    ANSWER_ATTRIBUTES, /* lines "name = value" */
};

struct scheduler_word {
    const char *word; /* a state begins with it; longer words stand before their beginnings */
    enum launch_state state;
};

/* Arrays of words are ended by NULL. */
struct scheduler {
    const char *title;
    const char *found_by[3]; /* programs that are all on PATH where it is used */
    const char *prefix;      /* of a directive, with its blank; NULL: it has none */
    const char *directives[24];
    const char *lacks[8]; /* keys of `job` that it has nothing for */
    const char *begin[4]; /* lines of the script, before all others */
    size_t longest_name;  /* of a job; 0: any */

    /* Programs and their words: {after} and {inside} are those below or nothing, {id} a number. */
    const char *submit[8], *cancel[5], *list[8];
    const char *after[3];      /* where a job waits for another */
    const char *inside;        /* where this is a job */
    bool reads_input;          /* the script is the program's standard input */
    const char *id_before;     /* what stands before the number in its answer; NULL: nothing */
    const char *id_end;        /* characters that end the number, beside white space */
    enum scheduler_answer how; /* of `list` */
    unsigned column;           /* ANSWER_COLUMNS: where the state stands, from 0 */
    const struct scheduler_word *states; /* others are LAUNCH_ENDED */
    const char *unknown[4];              /* said of a job that nobody knows any more */

    /* Variables of a job. NULL: there is none. */
    const char *id, *also; /* also: is set, too, where `id` could be anybody's */
    const char *task;      /* which one of an array, where these share a number */
    const char *end, *restart;
    const char *nodes;      /* their number */
    const char *cores;      /* of each node, as "64(x3),32": where it asks for whole nodes */
    const char *node_file;  /* the name of a file, with a line for each rank */
    const char *node_cores; /* the names of nodes, each with its cores */
    const char *forget;     /* variables that begin so belong to this job: not for its successor */
    const char *keep[6];    /* but for these, which are the user's */
};

/* The row of this name, or NULL. */
const struct scheduler *scheduler_find(const char *name);
/* What a study calls the scheduler of a row. */
const char *scheduler_name(const struct scheduler *row);
/* All rows. */
extern const struct scheduler schedulers[SCHEDULERS];

/* ---- sites (sites.c) ---- */

/* Loads the site that is meant; .name stays NULL when none is. study_site_free() it in any case. */
int site_find(struct study_site *site, const char *name, struct err_list *mistakes, struct err *e);

/* ---- programs of the scheduler (program.c) ---- */

struct program_call {
    const struct scheduler *scheduler;
    const char *const *words; /* ended by NULL */
    const char *folder;       /* where it runs, and where job.sh is; NULL: here */
    double seconds;           /* that it may take */
};

struct program_answer {
    struct str out, errors;
    int status;
};

/* As command_run(). program_answer_free() the answer in any case. */
int program_run(const struct program_call *call, struct program_answer *answer, struct err *e);
void program_answer_free(struct program_answer *answer);

/* ---- what these say (answers.c) ---- */

/* A number of a job is a word for a program: never an option, and nothing that needs quotes. */
bool answer_is_id(const char *id);
/* What a program had to say: its first line that is not blank. */
void answer_line(const struct program_answer *answer, char *text, size_t size);
/* True when the program says that there is no such job, or no longer. */
bool answer_is_unknown(const struct scheduler *row, const struct program_answer *answer);
/* The number of a submitted job: after a text that is known, or the last line of one word. */
bool answer_id(const struct scheduler *row, const struct str *out, char id[LAUNCH_ID]);
/* The state of a job. */
void answer_read(const struct scheduler *row, const char *id, const char *text,
                 struct launch_report *report);

/* ---- jobs that are processes of this machine (local.c) ---- */

int local_submit(const char *dir, const char *after, char id[LAUNCH_ID], struct err *e);
int local_cancel(const char *id, struct err *e);
void local_ask(const char *id, struct launch_report *report);

#endif
