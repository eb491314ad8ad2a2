/*
 * cli - what the user types and what the user sees.
 *
 * The only room that prints or exits. A command is one file in commands/: a table of its options,
 * a const struct cli_command at its end, and one row in main.c. main() reads the command line by
 * that table, so that --help, the messages about wrong options and the completion scripts agree.
 * What commands share lies here:
 *
 *   main.c           the commands, and finding the one that is meant
 *   options.c        the command line, read by a command's table; the text of --help
 *   errors.c         errors, notes, and the exit code
 *   terminal.c       colours, widths, and text that cannot steer a terminal
 *   numbers.c        scores, sizes, counts and rates
 *   text_table.c     text in columns
 *   study_options.c  the options that describe a study, for run, check and upf
 *   study_notes.c    what may not be meant in a study, for the same
 *   study_folder.c   which study is meant, and loading its journal
 *   study_status.c   how a study is doing, for status, watch, top and enqueue
 *   polling.c        how often a command looks at a study that runs
 *   trial_text.c     one trial: its name, why it failed, as JSON
 *   objectives.c     several scores, and constraints that a trial breaks
 *   drive.c          run a study, for run, resume and upf
 *   display.c        how a run goes: a live line, plain lines, or JSON
 *   conclude.c       what came of a run
 *   complete.c       whether a study has anything left to do
 *   stale_lock.c     a job waits for a lock that its dead predecessor left
 *   jobs.c           the job of a scheduler that a study runs in, for status, watch, top and stop
 *   ranks.c          run, resume and upf as ranks of an MPI job
 *   mpiexec.c        --mpi: starts such a job, and stays between it and the user
 *
 * Results go to stdout, everything else to stderr. A command returns its exit code: 0 for success,
 * 1 if the system failed, 2 if the user has to change something.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/base.h"
#include "inbox/inbox.h"
#include "journal/journal.h"
#include "standing/standing.h"
#include "study/study.h"

#include <stdio.h>

/* ---- commands and their options ---- */

struct cli_option {
    const char *name;                    /* "workers" for --workers */
    const char *also;                    /* a synonym that is accepted; NULL: none */
    char letter;                         /* 'n' for -n, 0: none */
    bool many;                           /* may be given more than once */
    const char *value;                   /* placeholder for its value: "N"; NULL: it takes none */
    const char *help;                    /* lines without a final newline */
    const char *const *words;            /* the values it accepts, ended by NULL; NULL: any */
    const char *const *(*suggest)(void); /* values for completion; they are checked later */
};

struct cli_arguments;
struct comm;
struct helper;

/* The ranks other than 0 of an MPI job. */
struct cli_followers {
    bool (*follow)(struct comm *comm, struct helper *helper); /* false if it ended alone */
    void (*dismiss)(struct comm *comm); /* on rank 0: lets those go that have nothing to do */
};

enum { CLI_TABLES = 7 }; /* the most tables of options of a command, with the final NULL */

struct cli_command {
    const char *name;
    const char *summary;  /* one line, in lower case, no full stop */
    const char *example;  /* lines to type as they are; shown first in the help */
    const char *synopsis; /* what follows the name: "[DIR] [options]" */
    const char *details;  /* a paragraph or two, or NULL */
    const struct cli_option *options[CLI_TABLES]; /* tables that end in a row without a name; the
                                                     first NULL ends them */
    const char *const *verbs; /* what its first operand may be, ended by NULL; NULL: anything */
    size_t least, most;       /* number of operands, not counting "--" */
    bool takes_command;       /* a command may follow "--" */
    bool passes_on;           /* all words behind its operands are `rest`, with or without "--" */
    bool drives;              /* it may be a rank of an MPI job */
    const struct cli_followers *followers; /* what the other ranks of that do; NULL: trials */
    int (*run)(struct cli_arguments *arguments);
};

/* What the user typed. Owns its memory; the texts belong to argv. */
struct cli_arguments {
    const struct cli_command *command;
    struct cli_given *given; /* options in the order given */
    size_t given_count, given_capacity;
    const char **operands; /* ended by NULL */
    size_t operand_count;
    const char *const *rest;       /* the command after "--", ended by NULL; NULL: none */
    bool help;                     /* --help or -h was given: run nothing */
    char **typed;                  /* all words after the command's name, ended by NULL */
    const struct cli_ranks *ranks; /* the MPI job that this command drives; NULL: none */
    struct arena arena;
};

/* Every command, in the order of `wick help`, ended by NULL. */
extern const struct cli_command *const cli_commands[];
/* The command of this name, or NULL. */
const struct cli_command *cli_command_find(const char *name);
/* NULL and ERR_USER with the nearest command when there is none of this name. */
const struct cli_command *cli_command_need(const char *name, struct err *e);

/* Reads argv[0 .. count-1], the words after the name of the command. */
int cli_parse(struct cli_arguments *arguments, const struct cli_command *command, int count,
              char **argv, struct err *e);
/* Frees what cli_parse() allocated. */
void cli_arguments_free(struct cli_arguments *arguments);

/* The value given for an option, or NULL. The command must have an option of this name. */
const char *cli_value(const struct cli_arguments *arguments, const char *name);
/* All values of an option that may be repeated, ended by NULL; live as long as arguments. */
const char *const *cli_values(struct cli_arguments *arguments, const char *name);
/* True when an option was given. */
bool cli_flag(const struct cli_arguments *arguments, const char *name);
/* The name of an option that was given and is not in `words` (ended by NULL), or NULL. */
const char *cli_other_option(const struct cli_arguments *arguments, const char *const *words);
/* True when the command has an option of this name. */
bool cli_takes(const struct cli_arguments *arguments, const char *name);
/* Reads a whole number from `least` to `most`; *number is unchanged if it was not given. */
int cli_whole(const struct cli_arguments *arguments, const char *name, uint64_t least,
              uint64_t most, uint64_t *number, struct err *e);
/* Reads a time as in study files ("90", "15m"); *seconds is unchanged if it was not given. */
int cli_seconds(const struct cli_arguments *arguments, const char *name, double *seconds,
                struct err *e);

/* Prints the help of a command. */
void cli_help_command(const struct cli_command *command);
/* Prints the list of commands. */
void cli_help_all(FILE *out);
/*
 * Prints every command and option for the completion scripts, four tab-separated fields per line:
 *   COMMAND  ""        SYNOPSIS  SUMMARY    (for a command with verbs: "a|b|c" as SYNOPSIS)
 *   COMMAND  --OPTION  VALUE     HELP
 * VALUE is "" if the option takes none, its placeholder, or the possible values as "a|b|c".
 */
void cli_list_all(void);

/* ---- printing ---- */

enum cli_colour {
    CLI_PLAIN,
    CLI_BOLD,
    CLI_DIM,
    CLI_RED,
    CLI_GREEN,
    CLI_YELLOW,
    CLI_BLUE,
};

/* Prints "wick: " and the error to stderr, with source line and caret if the place is known. */
void cli_print_err(const struct err *e);
/* Prints all mistakes, and how many there are. */
void cli_print_errs(const struct err_list *mistakes);
/* Prints each as a note, with its place. */
void cli_print_notes(const struct err_list *notes);
/* Prints each as a warning, with its place. */
void cli_print_warnings(const struct err_list *warnings);
/* Prints the error and returns the matching exit code. */
int cli_fail(const struct err *e);
/* The exit code for these mistakes: 2 if one of them is the user's. */
int cli_code_of(const struct err_list *mistakes);
/* Prints all mistakes, frees them, and returns the exit code. */
int cli_fail_all(struct err_list *mistakes);
/* Flushes stdout; returns the exit code, or 1 if the output cannot be written. */
int cli_finish(int code);

/* True when out is a terminal with cursor movement and colours (TERM is not "dumb"). */
bool cli_terminal(FILE *out);
/* The escape sequence of a colour, "" where colours are off (NO_COLOR, no terminal). */
const char *cli_colour(FILE *out, enum cli_colour colour);
/* The colour in which a state of a trial is shown. */
enum cli_colour cli_state_colour(enum outcome_state state);
/* Columns of the terminal (or $COLUMNS), SIZE_MAX when out is not a terminal. */
size_t cli_width(FILE *out);
/* True when the locale is UTF-8, so that bars can be drawn with block characters. */
bool cli_utf8(void);

/*
 * Appends untrusted text so that it cannot control a terminal: control characters and bytes that
 * are not UTF-8 are shown as \x1b and the like; newlines and tabs are kept.
 */
void cli_add_safe(struct str *s, const char *text, size_t length);
/* Number of terminal columns of a text, which must have no escape sequences. */
size_t cli_text_width(const char *text, size_t length);
/* Bytes of the first character of a text; 1 where it is not UTF-8. */
size_t cli_character(const char *text, size_t length);
/* Bytes of the longest prefix of a text that fits into `most` columns, and its *width. */
size_t cli_text_fit(const char *text, size_t length, size_t most, size_t *width);
/* Appends the text, cut to `width` columns with "..." if it is longer. */
void cli_add_cut(struct str *s, const char *text, size_t width);

/* Appends a score for people: 6 significant digits, "-" for NaN. */
void cli_add_score(struct str *s, double score);
/* Appends the value of a parameter: floats with 4 significant digits, "-" if not active. */
void cli_add_parameter(struct str *s, const struct parameter *parameter, double value);
/* Appends a number of bytes for people: "512 MiB". */
void cli_add_bytes(struct str *s, uint64_t bytes);
/* Appends a bar of `width` columns of which the given share (0 to 1) is full. */
void cli_add_bar(struct str *s, double share, size_t width);
/* Appends the label of a line of a summary, padded to `width`, for stdout. */
void cli_add_label(struct str *s, const char *label, int width);
/* As json_set_text(), but "" is null. */
void cli_set_text(struct str *s, const char *key, const char *text);
/* Appends a count with its noun: "1 trial", "3 trials". */
void cli_add_count(struct str *s, uint64_t count, const char *noun);
/* Appends a rate for people, given per second: "1200 trials a second", "1 trial a minute". */
void cli_add_rate(struct str *s, double rate);

/* ---- metrics ---- */

/* Names of metrics, in the order of their first appearance. */
struct cli_metrics {
    char names[OUTCOME_METRICS][sizeof((struct outcome_metric *)0)->name];
    char titles[OUTCOME_METRICS][256]; /* the names, safe for a terminal */
    size_t count;
};
/* Adds the metrics of a result with new names, except scores; at most OUTCOME_METRICS. */
void cli_metrics_note(struct cli_metrics *metrics, const struct study *study,
                      const struct outcome *result);
/* The value of a metric, NaN if the result does not have it. */
double cli_metric(const struct outcome *result, const char *name);

/* ---- text in columns ---- */

enum cli_align { CLI_LEFT, CLI_RIGHT };

/*
 * Start with {.out = stdout}, add the columns, then the cells row by row, and end the table. Widths
 * are measured over the first thousand rows, so that a million rows need no more memory. If a
 * terminal is too narrow, spare columns are omitted first, then long texts are cut, then the last
 * columns are omitted, which a line on stderr reports. Numbers are never cut, and nothing is where
 * the output is not a terminal.
 */
struct text_table {
    FILE *out;
    FILE *terminal; /* where `out` will be shown if not directly; then omissions are not reported */
    struct cli_column *columns;
    size_t column_count, column_capacity;
    struct cli_cell *cells;
    size_t cell_count, cell_capacity;
    size_t spare; /* number of last columns that are omitted first */
    size_t shown; /* number of columns that fit; 0: nothing printed yet */
    struct arena arena;
};

/* Adds a column. Its title must outlive the table. */
void text_table_column(struct text_table *table, const char *title, enum cli_align align);
/* Adds a column for the values of a parameter. */
void text_table_parameter(struct text_table *table, const struct parameter *parameter);
/* Adds the cell with the id of a trial of a parameter file. */
void text_table_id(struct text_table *table, const struct study *study, size_t index);
/* Adds spare columns for metrics, the last columns of a table of trials. */
void text_table_metrics(struct text_table *table, const struct cli_metrics *metrics);
/* Adds the cells of a trial in these columns. */
void text_table_metric_cells(struct text_table *table, const struct cli_metrics *metrics,
                             const struct outcome *result);
/* Adds the next cell; its text is copied. */
void text_table_cell(struct text_table *table, enum cli_colour colour, const char *text);
/* Prints the remaining rows and frees the table. A table without rows prints nothing. */
void text_table_end(struct text_table *table);

/* ---- several scores, and constraints ---- */

/* Appends "loss, smaller is better". */
void cli_add_objective(struct str *s, const struct study *study, size_t index);
/* Appends "objectives": [{"name": "loss", "direction": "minimize"}] to an object. */
void cli_set_objectives(struct str *s, const struct study *study);
/* Adds the columns of the scores in a table of trials. */
void text_table_scores(struct text_table *table, const struct study *study);
/* Adds the cells of a trial in these columns. */
void text_table_score_cells(struct text_table *table, const struct journal *journal, size_t index);
/* Appends the size and the extent of the front: "3 trials: loss 0.1 to 0.5, size 4 to 90". */
void cli_add_front(struct str *s, const struct journal *journal);
/* Appends "breaks: size <= 300" if a trial breaks constraints. */
void cli_add_broken(struct str *s, const struct study *study, const double *point,
                    const struct outcome *result);

/* ---- studies ---- */

/*
 * Options that describe a study: what to try (run, check, submit), how to run it (also upf), and
 * the job to run it in (submit).
 */
extern const struct cli_option cli_space_options[], cli_model_options[], cli_job_options[];
/* --dir, the folder of a new study. */
extern const struct cli_option cli_folder_options[];

/* The values of --keep, ended by NULL. */
const char *const *cli_keep_words(void);

/* Fills the description of a study from the options that the command has, and from "--". */
void cli_words(struct cli_arguments *arguments, struct study_words *words);

/*
 * Reads the study that the user described by a study file, by options, or by both. Prints all
 * mistakes; returns 0 or the exit code. If 0, study_free() it.
 */
int cli_read_study(struct cli_arguments *arguments, struct study *study);

/* Prints "note: " and a line to stderr. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a note for each --set NAME=0..1, which is a whole number. */
void cli_note_whole(struct cli_arguments *arguments);
/* Prints the notes of the study and those about this machine, such as too few cores. */
void cli_study_notes(struct cli_arguments *arguments, const struct study *study);
/* The same for a job: a time without a unit, GPUs that are not assigned to trials. */
void cli_job_notes(const struct study *study, const struct study_job *job);

/* True for a folder with a journal. */
bool cli_is_study(const char *dir);

/*
 * Finds the study folder: `given`, or if NULL the one in the current folder; of several, the one
 * whose journal changed last (a line on stderr says which). ERR_USER says what to type. free()
 * *dir.
 */
int cli_find_folder(const char *given, char **dir, struct err *e);

/* Finds the folder and loads its journal, and notes if it is damaged; if 0, journal_free() it. */
int cli_load_journal(const char *given, struct journal *journal, struct err *e);
/* The same for actions that cannot be undone: ERR_USER if several studies could be meant. */
int cli_load_only_journal(const char *given, struct journal *journal, struct err *e);

/* Prints a note if the journal is damaged. */
void cli_note_damage(const struct journal *journal);
/* The option --all, for cli_add_damage(). */
extern const struct cli_option cli_damage_options[];
/*
 * Appends what is known about the damage of a journal, or that there is none; `all`: not only the
 * first damaged places and trials.
 */
void cli_add_damage(struct str *s, const struct journal *journal, bool all);
/* Mends a journal that is damaged, says so and loads it again; an error frees it. */
int cli_mend(struct journal *journal, struct err *e);
/* --secrets: show the values of `env`, which are hidden otherwise. */
extern const struct cli_option cli_secrets_options[];
/* Obeys it. */
void cli_show_secrets(const struct cli_arguments *arguments, struct study *study);

/*
 * Waits `interval` seconds after looking at a journal since `start` (clock_now()); longer if the
 * look took long, so that watching a large study costs little.
 */
void cli_wait(double start, double interval);

/* --interval, the time between two looks. */
extern const struct cli_option cli_interval_options[];
/* Reads --interval; *interval is unchanged if it was not given. */
int cli_interval(const struct cli_arguments *arguments, double *interval, struct err *e);

/* Reads the number of a trial as its index in the journal; ERR_USER if there is no such trial. */
int cli_read_trial(const struct journal *journal, const char *text, size_t *index, struct err *e);

/* Appends why a trial failed: the reason, and the last line of its output. */
void cli_add_cause(struct str *s, enum outcome_state state, const char *reason,
                   struct slice last_line);
/* The same for a result. */
void cli_add_reason(struct str *s, const struct outcome *result);

/* Appends "trial 3", or for a parameter file with its id: "trial 3 (id run7)". */
void cli_add_trial_name(struct str *s, const struct study *study, size_t index);

/* Appends metrics as a JSON object. */
void cli_add_metrics_json(struct str *s, const struct outcome_metric *metrics, size_t count);

/* Seconds that a trial took, or has taken so far if it is running; NaN: unknown. */
double cli_took(const struct journal *journal, size_t index);

/* Appends a trial as a JSON object on one line, with its output if `log`. */
int cli_add_trial_json(struct str *s, const struct journal *journal, size_t index, bool log,
                       struct err *e);

struct cli_job; /* see jobs.h */

/* How a study is doing. */
struct cli_status {
    enum standing_state state;
    const struct cli_job *job; /* NULL: it has none */
    struct journal_counts counts;
    int64_t best;                      /* index of the best trial, -1: none yet */
    uint64_t budget;                   /* trials in total, as far as known; 0: no limit */
    size_t queued;                     /* points in the queue that were not tried yet */
    char queue_trouble[INBOX_TROUBLE]; /* why none come from it; "": all is well */
    double elapsed;                    /* seconds at work */
    double rate;                       /* trials per second, 0: unknown */
    double left;                       /* seconds, NaN: unknown or not running */
    struct standing_silence silence;   /* whether it is stuck */
    struct standing_cost cost;
    double job_hours; /* node-hours that its jobs may still use, NaN: unknown or none will run */
};
/* Fills the status. Without a job, only the lock tells whether it runs. The job must outlive it. */
void cli_status(const struct journal *journal, const struct cli_job *job,
                struct cli_status *status);
enum { CLI_FAILURES = 3 }; /* failures that a status shows */
/* Indexes of the last failed trials, latest first; returns how many. */
size_t cli_last_failures(const struct journal *journal, size_t indexes[CLI_FAILURES]);
/* True when a process runs the study, as far as the lock and its job tell. The job may be NULL. */
bool cli_is_running(const struct journal *journal, const struct cli_job *job);
/* Appends "nothing has ended for 40 min; the median trial takes 3 min". */
void cli_add_silence(struct str *s, const struct standing_silence *silence);
/* Appends the lines that `wick status` shows on stdout. */
int cli_add_status(struct str *s, const struct journal *journal, const struct cli_status *status,
                   struct err *e);
/* The same without the failures. */
int cli_add_summary(struct str *s, const struct journal *journal, const struct cli_status *status,
                    struct err *e);

#endif
