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
 * Results go to stdout and all else to stderr. A command returns its exit code: 0 when all is well,
 * 1 when the machine refused, 2 when the user has to change something.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/base.h"
#include "journal/journal.h"
#include "standing/standing.h"
#include "study/study.h"

#include <stdio.h>

/* ---- commands and their options ---- */

struct cli_option {
    const char *name;         /* "workers" for --workers */
    const char *also;         /* another word for it that is understood; NULL: none */
    char letter;              /* 'n' for -n, 0: none */
    bool many;                /* may be given more than once */
    const char *value;        /* what its value is called: "N"; NULL: it takes none */
    const char *help;         /* lines without a final newline */
    const char *const *words; /* the only values that it takes, ended by NULL; NULL: any */
    const char *const *(*suggest)(void); /* values for completion, where others are checked later */
};

struct cli_arguments;

enum { CLI_TABLES = 6 }; /* the most tables of options of a command, and the NULL behind them */

struct cli_command {
    const char *name;
    const char *summary;  /* one line, begins small, no full stop */
    const char *example;  /* lines that can be typed as they are; first in the help */
    const char *synopsis; /* what follows the name: "[DIR] [options]" */
    const char *details;  /* a paragraph or two, or NULL */
    const struct cli_option *options[CLI_TABLES]; /* tables that end in a row without a name; the
                                                     first NULL ends them */
    const char *const *verbs; /* what its first operand may be, ended by NULL; NULL: any */
    size_t least, most;       /* operands; "--" does not count */
    bool takes_command;       /* what follows "--" is a command of its own */
    bool drives;              /* it runs a study, and so may be a rank of an MPI job */
    int (*run)(struct cli_arguments *arguments);
};

/* What the user typed. Owns its memory; the texts are those of argv. */
struct cli_arguments {
    const struct cli_command *command;
    struct cli_given *given; /* options in the order of typing */
    size_t given_count, given_capacity;
    const char **operands; /* ended by NULL */
    size_t operand_count;
    const char *const *rest; /* the command after "--", ended by NULL; NULL: there is none */
    bool help;               /* --help or -h was given: run nothing */
    char **typed;            /* all words after the command's name, ended by NULL */
    struct helper *helper;   /* with mpi: the helper of this rank */
    struct comm *mpi;        /* rank 0 of an MPI job that this command drives; NULL: it is none */
    struct arena arena;
};

/* Every command, in the order of `wick help`, ended by NULL. */
extern const struct cli_command *const cli_commands[];
/* The command of this name, or NULL. */
const struct cli_command *cli_command_find(const char *name);
/* NULL and ERR_USER with the nearest command when there is none of this name. */
const struct cli_command *cli_command_need(const char *name, struct err *e);

/* Reads argv[0 .. count-1], what follows the command's name. */
int cli_parse(struct cli_arguments *arguments, const struct cli_command *command, int count,
              char **argv, struct err *e);
void cli_arguments_free(struct cli_arguments *arguments);

/* The name must be one of the command's options. The value that was given, or NULL. */
const char *cli_value(const struct cli_arguments *arguments, const char *name);
/* All values of an option that may be given often, ended by NULL; live as long as arguments. */
const char *const *cli_values(struct cli_arguments *arguments, const char *name);
bool cli_flag(const struct cli_arguments *arguments, const char *name);
/* The name of an option that was given and is none of these words (ended by NULL), or NULL. */
const char *cli_other_option(const struct cli_arguments *arguments, const char *const *words);
/* True when the command has an option of this name. */
bool cli_takes(const struct cli_arguments *arguments, const char *name);
/* Reads a whole number from `least` to `most`; *number stays when the option is not given. */
int cli_whole(const struct cli_arguments *arguments, const char *name, uint64_t least,
              uint64_t most, uint64_t *number, struct err *e);
/* Reads a time as in study files ("90", "15m"); *seconds stays when the option is not given. */
int cli_seconds(const struct cli_arguments *arguments, const char *name, double *seconds,
                struct err *e);

/* Prints the help of one command, or of all of them. */
void cli_help_command(const struct cli_command *command);
void cli_help_all(FILE *out);
/*
 * Prints every command and option for the completion scripts, four fields a line with tabs between:
 *   COMMAND  ""        SYNOPSIS  SUMMARY    (of a command with verbs: "a|b|c" for SYNOPSIS)
 *   COMMAND  --OPTION  VALUE     HELP
 * VALUE is "" when it takes none, what its value is called, or "a|b|c" when these are values.
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

/* Prints "wick: " and the error, with the line and a caret where the place is known, to stderr. */
void cli_print_err(const struct err *e);
/* Prints all mistakes and how many there are. */
void cli_print_errs(const struct err_list *mistakes);
/* Prints the error and returns the exit code that it deserves. */
int cli_fail(const struct err *e);
/* The same for mistakes, which it also frees. */
int cli_fail_all(struct err_list *mistakes);
/* Writes out what stdout still holds; the exit code, 1 when it could not be written. */
int cli_finish(int code);

/* True when out is a terminal that moves its cursor and shows colours (TERM is not "dumb"). */
bool cli_terminal(FILE *out);
/* The escape sequence of a colour, "" where colours are not wanted (NO_COLOR, no terminal). */
const char *cli_colour(FILE *out, enum cli_colour colour);
/* The colour that fits the state of a trial. */
enum cli_colour cli_state_colour(enum outcome_state state);
/* Columns of the terminal (or $COLUMNS), SIZE_MAX when out is not a terminal. */
size_t cli_width(FILE *out);
/* True when the user's locale is UTF-8, so that a bar may be drawn with blocks. */
bool cli_utf8(void);

/*
 * Appends text that anybody may have written so that it cannot steer a terminal: control characters
 * and bytes that are not UTF-8 become \x1b and the like; newlines and tabs stay.
 */
void cli_add_safe(struct str *s, const char *text, size_t length);
/* How many columns a text takes on a terminal. Escape sequences are not understood. */
size_t cli_text_width(const char *text, size_t length);
/* Bytes of the first character of a text; 1 where it is not UTF-8. */
size_t cli_character(const char *text, size_t length);
/* The bytes of the longest start of a text that fits into `most` columns; *width is what it takes.
 */
size_t cli_text_fit(const char *text, size_t length, size_t most, size_t *width);
/* Appends as much of the text as fits into `width` columns, with "..." at a cut. */
void cli_add_cut(struct str *s, const char *text, size_t width);

/* Appends a score as a person reads it: 6 significant digits, "-" for NaN. */
void cli_add_score(struct str *s, double score);
/* Appends the value of a parameter: floats with 4 significant digits, "-" when not active. */
void cli_add_parameter(struct str *s, const struct parameter *parameter, double value);
/* Appends bytes as a person reads them: "512 MiB". */
void cli_add_bytes(struct str *s, uint64_t bytes);
/* Appends a bar of `width` columns of which the given share (0 to 1) is full. */
void cli_add_bar(struct str *s, double share, size_t width);
/* Appends what stands before the lines of a summary, for stdout. */
void cli_add_label(struct str *s, const char *label, int width);
/* As json_set_text(), but "" is null. */
void cli_set_text(struct str *s, const char *key, const char *text);
/* Appends the text of a count and its noun: "1 trial", "3 trials". */
void cli_add_count(struct str *s, uint64_t count, const char *noun);
/* Appends trials a second as a person says it: "1200 trials a second", "1 trial a minute". */
void cli_add_rate(struct str *s, double rate);

/* ---- metrics ---- */

/* Names of metrics, in the order in which they are met. */
struct cli_metrics {
    char names[OUTCOME_METRICS][sizeof((struct outcome_metric *)0)->name];
    char titles[OUTCOME_METRICS][256]; /* the names, safe for a terminal */
    size_t count;
};
/* Adds the metrics of a result whose names are new, but those of scores; up to OUTCOME_METRICS. */
void cli_metrics_note(struct cli_metrics *metrics, const struct study *study,
                      const struct outcome *result);
/* The value of a metric, NaN when the trial has none of this name. */
double cli_metric(const struct outcome *result, const char *name);

/* ---- text in columns ---- */

enum cli_align { CLI_LEFT, CLI_RIGHT };

/*
 * Start with {.out = stdout}, add the columns, then the cells row by row, then end it. Widths are
 * measured over the first thousand rows, so a million rows need no more memory than that. On a
 * terminal that is too narrow spare columns are left out, then long texts are cut, then the last
 * columns are left out, and a line on stderr says so; numbers are never cut. Not on a terminal,
 * nothing is.
 */
struct text_table {
    FILE *out;
    FILE *terminal; /* where `out` will be shown when it is not there itself; then nobody is told */
    struct cli_column *columns;
    size_t column_count, column_capacity;
    struct cli_cell *cells;
    size_t cell_count, cell_capacity;
    size_t spare; /* how many of the last columns are the first to be left out */
    size_t shown; /* how many columns fit; 0: nothing was printed yet */
    struct arena arena;
};

/* Texts of columns must outlive the table; those of cells are copied. */
void text_table_column(struct text_table *table, const char *title, enum cli_align align);
/* A column for the values of a parameter. */
void text_table_parameter(struct text_table *table, const struct parameter *parameter);
/* The cell of a trial's id in a parameter file. */
void text_table_id(struct text_table *table, const struct study *study, size_t index);
/* Spare columns for metrics, at the end of a table of trials, and the cells of a trial in them. */
void text_table_metrics(struct text_table *table, const struct cli_metrics *metrics);
void text_table_metric_cells(struct text_table *table, const struct cli_metrics *metrics,
                             const struct outcome *result);
void text_table_cell(struct text_table *table, enum cli_colour colour, const char *text);
/* Prints what is left and gives the memory back; a table without rows prints nothing. */
void text_table_end(struct text_table *table);

/* ---- several scores, and constraints ---- */

/* The columns of the scores in a table of trials, and the cells of a trial in them. */
void text_table_scores(struct text_table *table, const struct study *study);
void text_table_score_cells(struct text_table *table, const struct journal *journal, size_t index);
/* Appends how large the front is and how far it goes: "3 trials: loss 0.1 to 0.5, size 4 to 90". */
void cli_add_front(struct str *s, const struct journal *journal);
/* Appends "breaks: size <= 300" of a trial that breaks constraints; else nothing. */
void cli_add_broken(struct str *s, const struct study *study, const double *point,
                    const struct outcome *result);

/* ---- studies ---- */

/*
 * The options that describe a study on the command line: what is tried, of run and check, and how
 * it is run, of upf, too; and the job that it is run in, of submit.
 */
extern const struct cli_option cli_space_options[], cli_model_options[], cli_job_options[];
/* --dir, the folder of a new study. */
extern const struct cli_option cli_folder_options[];

/* Fills the words of a study from those of these options that the command has, and from "--". */
void cli_words(struct cli_arguments *arguments, struct study_words *words);

/*
 * Reads the study that the user described: a study file, words, or both. Prints all mistakes;
 * returns 0 or the exit code. study_free() it when 0.
 */
int cli_read_study(struct cli_arguments *arguments, struct study *study);

/* Prints "note: " and a line, to stderr. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a note for each --set NAME=0..1, which is no float. */
void cli_note_whole(struct cli_arguments *arguments);
/* Prints notes about what may not be meant: a script that is not there, more cores than exist. */
void cli_study_notes(struct cli_arguments *arguments, const struct study *study);
/* The same about a job: a time that is short because it has no unit, GPUs that nobody deals out. */
void cli_job_notes(const struct study *study, const struct study_job *job);

/* True for a folder with a journal. */
bool cli_is_study(const char *dir);

/*
 * The folder of the study that is meant: `given`, or that of the current folder when it is NULL, of
 * several the one whose journal changed last (a line on stderr says which). ERR_USER says what to
 * type. free() *dir.
 */
int cli_find_folder(const char *given, char **dir, struct err *e);

/* Finds the folder and loads its journal; journal_free() it when 0. */
int cli_load_journal(const char *given, struct journal *journal, struct err *e);
/* The same for what cannot be undone: with no name given and several studies here, ERR_USER. */
int cli_load_only_journal(const char *given, struct journal *journal, struct err *e);

/*
 * Waits this long after a look at a journal that began at clock_now() `start`; longer when the look
 * took long, so that watching a large study costs little.
 */
void cli_wait(double start, double interval);

/* --interval, the time between two looks, and its value. */
extern const struct cli_option cli_interval_options[];
int cli_interval(const struct cli_arguments *arguments, double *interval, struct err *e);

/* Reads the id of a trial of this journal as its index. */
int cli_read_trial(const struct journal *journal, const char *text, size_t *index, struct err *e);

/* Appends why a trial failed: the reason, and the last line that it wrote. */
void cli_add_cause(struct str *s, enum outcome_state state, const char *reason,
                   struct slice last_line);
/* The same of a result. */
void cli_add_reason(struct str *s, const struct outcome *result);

/* Appends "trial 3", and the id where the study is a parameter file: "trial 3 (id run7)". */
void cli_add_trial_name(struct str *s, const struct study *study, size_t index);

/* Appends metrics as a JSON object. */
void cli_add_metrics_json(struct str *s, const struct outcome_metric *metrics, size_t count);

/* Seconds that a trial took, or has taken so far when it runs now; NaN: not known. */
double cli_took(const struct journal *journal, size_t index);

/* Appends a trial as a JSON object on one line; with its log where `log` is true. */
int cli_add_trial_json(struct str *s, const struct journal *journal, size_t index, bool log,
                       struct err *e);

struct cli_job; /* see jobs.h */

/* How a study is doing. */
struct cli_status {
    enum standing_state state;
    const struct cli_job *job; /* NULL: it has none */
    struct journal_counts counts;
    int64_t best;    /* index of the best trial, -1: none yet */
    uint64_t budget; /* trials in all, as far as that is known; 0: not limited */
    size_t queued;   /* points of the user's own that were not tried yet */
    double elapsed;  /* seconds at work */
    double rate;     /* trials a second, 0: not known */
    double left;     /* seconds, NaN: not known or not running */
};
/* The job may be NULL: then only the lock tells whether it runs. It must outlive the status. */
void cli_status(const struct journal *journal, const struct cli_job *job,
                struct cli_status *status);
enum { CLI_FAILURES = 3 }; /* failures that a status shows */
/* Indexes of the last trials that failed, latest first; returns how many. */
size_t cli_last_failures(const struct journal *journal, size_t indexes[CLI_FAILURES]);
/* True when a process runs the study, as far as the lock and its job tell. The job may be NULL. */
bool cli_is_running(const struct journal *journal, const struct cli_job *job);
/* Appends the lines that `wick status` shows on stdout; the summary has no failures. */
int cli_add_status(struct str *s, const struct journal *journal, const struct cli_status *status,
                   struct err *e);
int cli_add_summary(struct str *s, const struct journal *journal, const struct cli_status *status,
                    struct err *e);

#endif
