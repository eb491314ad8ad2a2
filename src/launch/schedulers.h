/*
 * schedulers.h - what is known about a scheduler: one row of the table (private to launch).
 *
 * A row is data only. Directives are templates: {word} is replaced by what the plan says. If the
 * plan does not say it, the part in <...> is left out, or the whole line if there is none.
 */
#ifndef LAUNCH_SCHEDULERS_H
#define LAUNCH_SCHEDULERS_H

#include "launch/launch.h"

/* How a program reports the state of a job. */
enum scheduler_answer {
    ANSWER_FIELDS,     /* "STATE|DETAIL", for this job only */
    ANSWER_COLUMNS,    /* a table; a line starts with the job's ID */
    ANSWER_ATTRIBUTES, /* lines "name = value" */
};

struct scheduler_word {
    const char *word; /* a state starts with it; longer words come before their prefixes */
    enum launch_state state;
};

/*
 * A directive, and the options about the same thing: "--nodes|-N"; "-l walltime" is a resource.
 * Several directives may be about a thing, and an option about several things.
 */
struct scheduler_directive {
    const char *template, *options;
};

/* A resource that must be a part of another directive, and the key of `job` for it, or NULL. */
struct scheduler_part {
    const char *option, *key;
};

/* Arrays of words are ended by NULL. */
struct scheduler {
    const char *title;
    const char *found_by[3]; /* all of these programs are on PATH if it is used here */
    const char *prefix;      /* prefix of a directive, with its blank; NULL: there are none */
    const struct scheduler_directive *directives; /* ended by {0} */
    const char *resources; /* option whose value is a list of resources; NULL: none */
    const char *joined;    /* start of directives whose values are joined: "--gres="; NULL: none */
    const char *chunk;     /* directive that describes a node; NULL: there are several */
    const struct scheduler_part *parts; /* resources that exclude `chunk`; ended by {0} */
    const char *lacks[12];              /* keys of `job` for which it has no equivalent */
    const char *begin[4];               /* first lines of the script */
    size_t longest_name;                /* most characters in a job's name; 0: any number */

    /* Command lines: {after} and {inside} become the words below or nothing, {id} the job's ID. */
    const char *submit[8], *cancel[5], *list[8];
    const char *after[3]; /* words to add if the job waits for another one */
    const char *inside;   /* word to add if this process is in a job itself */
    bool reads_input;     /* the script is the program's standard input */
    bool whole_words;     /* options of directives are words, as in -pe; no value follows at once */
    const char *id_before;               /* what comes before the ID in its answer; NULL: nothing */
    const char *id_end;                  /* characters that end the ID, besides white space */
    const char *jobs;                    /* what a user types to see his jobs; NULL: ps */
    enum scheduler_answer how;           /* how `list` answers */
    unsigned column;                     /* ANSWER_COLUMNS: the column of the state, from 0 */
    const struct scheduler_word *states; /* any other state is LAUNCH_ENDED */
    const char *unknown[4];              /* what it says about a job that it no longer knows */

    /* Variables of a job; NULL if there is none. */
    const char *id, *also; /* also: must be set as well, because `id` is not specific */
    const char *task;      /* task of a job array, if its tasks share one ID */
    const char *end, *restart;
    const char *nodes;      /* number of nodes */
    const char *cores;      /* cores of each node, as in "64(x3),32", if it allocates whole nodes */
    const char *node_list;  /* the names of the nodes as a hostlist, as in "n[1-3]" */
    const char *node_file;  /* path of a file with a node at the start of each line */
    const char *node_cores; /* the names of the nodes, each followed by its cores */
    const char *apart;      /* if it is set, the job script runs on a node of its own */
    const char *node_program[4]; /* a program that prints the hostlist */
    const char *launcher;        /* for `job`: starts ranks on all nodes; NULL: mpiexec does */
    const char *forget;          /* variables with this prefix are not passed to the next job */
    const char *keep[6];         /* except these, which are the user's */
};

/* The row of the scheduler with this name, or NULL. */
const struct scheduler *scheduler_find(const char *name);
/* The name of a row's scheduler in a study file. */
const char *scheduler_name(const struct scheduler *row);
/* All rows. */
extern const struct scheduler schedulers[SCHEDULERS];

/* ---- directives (directives.c) ---- */

enum { DIRECTIVE_OPTIONS = 64 };

/* An option of a directive: "--nodes", or with a resource, "-l walltime". */
struct directive_option {
    char text[64];
};

/* Finds the options of a directive; returns their number. What exceeds the limit is left out. */
size_t directive_options(const struct scheduler *row, const char *line,
                         struct directive_option options[DIRECTIVE_OPTIONS]);
/*
 * Joins directives with the option `joined` of the table, of which a scheduler would use only one;
 * returns how many are left. New lines live in the arena.
 */
size_t directives_join(const struct scheduler *row, const char **lines, size_t count,
                       struct arena *arena);
/* True if a directive is about the same as one of ours whose template has this {word}. */
bool directive_is_about(const struct scheduler *row, const char *line, const char *word);
/* Keeps those directives that are not replaced by later ones about the same things; returns how
 * many are left. */
size_t directives_last(const struct scheduler *row, const char **lines, size_t count);

/* ---- nodes (nodes.c) ---- */

/*
 * The names of the nodes of the job of this process, ended by NULL; NULL if they are not known.
 * A program is asked only if `may_ask`.
 */
const char *const *nodes_of(const struct scheduler *row, bool may_ask, struct arena *arena,
                            size_t *count);

/* ---- sites (sites.c) ---- */

/* Loads the site that applies; .name stays NULL if there is none. study_site_free() it in any case.
 */
int site_find(struct study_site *site, const char *name, struct err_list *mistakes, struct err *e);

/* ---- programs of the scheduler (program.c) ---- */

struct program_call {
    const struct scheduler *scheduler;
    const char *const *words; /* ended by NULL */
    const char *folder;       /* where it runs and job.sh is; NULL: the current folder */
    double seconds;           /* time limit */
};

struct program_answer {
    struct str out, errors;
    int status;
};

/* Runs it as command_run() does. program_answer_free() the answer in any case. */
int program_run(const struct program_call *call, struct program_answer *answer, struct err *e);
/* Frees the output. */
void program_answer_free(struct program_answer *answer);

/* ---- what they print (answers.c) ---- */

/* True if this can be a job ID: not an option, and nothing that needs quotes. */
bool answer_is_id(const char *id);
/* The first line of a program's output that is not blank. */
void answer_line(const struct program_answer *answer, char *text, size_t size);
/* True if the program says that there is no such job, or no longer. */
bool answer_is_unknown(const struct scheduler *row, const struct program_answer *answer);
/* Finds the ID of a submitted job: after a known text, or the last line with a single word. */
bool answer_id(const struct scheduler *row, const struct str *out, char id[LAUNCH_ID]);
/* Reads the state of a job from the output of `list`. */
void answer_read(const struct scheduler *row, const char *id, const char *text,
                 struct launch_report *report);

/* ---- jobs that are processes of this machine (local.c) ---- */

/*
 * Starts DIR/job.sh as a process, after the job `after` has ended; NULL: at once. `maybe` is set if
 * that fails, and it may have been started nevertheless.
 */
int local_submit(const char *dir, const char *after, char id[LAUNCH_ID], bool *maybe,
                 struct err *e);
/* Ends such a job. */
int local_cancel(const char *id, struct err *e);
/* The state of such a job. */
void local_ask(const char *id, struct launch_report *report);

#endif
