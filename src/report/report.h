/*
 * report - a loaded journal in forms that people use: a page, tables, a database.
 *
 * The functions only read the journal, which still belongs to the caller. Files are replaced
 * atomically: readers see the old or the new one, and a failure leaves the old one. Except for
 * databases, no more than a few bytes per trial are kept in memory.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/base.h"
#include "journal/journal.h"

/*
 * Where rows go: the file at `path`, or the open descriptor `fd` if path is NULL. A file or a link
 * is replaced, never followed; a pipe or a device that the user names (/dev/stdout) is written
 * into.
 */
struct report_target {
    const char *path;
    int fd;
    bool is_own; /* a file of the study folder */
};

/*
 * Writes a page that contains everything it needs and opens offline. Above REPORT_TRIALS trials, it
 * has an even selection of them, and all of the best, the last failures and the improvements;
 * counts are exact.
 */
enum { REPORT_TRIALS = 200000, REPORT_BEST = 1000, REPORT_FAILURES = 200 };
/* Writes the page of a study to a file; NULL: to its report in the study folder. */
int report_html(const struct journal *journal, const char *path, struct err *e);

/*
 * Writes a page about several studies: their Gantt charts side by side, their convergence, a table.
 * Above REPORT_COMPARED trials in total, each study has an even selection as above.
 */
enum { REPORT_COMPARED = 60000, REPORT_STUDIES = 24 };
/* Writes the page about these studies to a file. */
int report_compare(const struct journal *journals, size_t count, const char *path, struct err *e);

enum { REPORT_CSV_METRICS = 1000 }; /* columns of metrics in a CSV */

/*
 * Writes one row per trial (RFC 4180): trial, state, score, times in seconds since the study was
 * created, what it used, how it ended; with several objectives, each score and whether it is on the
 * front; with measured constraints, their violation; each parameter, each metric. What is unknown
 * or inactive is empty. A parameter with the name of an earlier column gets the prefix "param_", a
 * metric "metric_". *left_out metrics have no column, because there are too many.
 */
int report_csv(const struct journal *journal, struct report_target target, size_t *left_out,
               struct err *e);

/* Writes an object with "study" and "trials", a list of one object per trial, each on its line. */
int report_json(const struct journal *journal, struct report_target target, struct err *e);

/*
 * Writes an SQLite database: study(key, value), trials (the columns of the CSV without metrics),
 * metrics(trial, name, value), and logs(trial, log) of the failed trials.
 */
int report_sqlite(const struct journal *journal, const char *path, struct err *e);

/* How rows are written. */
enum report_form {
    REPORT_TABLE, /* aligned columns, for people */
    REPORT_CSV,
    REPORT_LINES, /* one JSON object per line */
};

/*
 * Runs one query on the same database, in memory, and writes its rows. A query that does more than
 * read is refused; a mistake is ERR_USER, with the message of SQLite and the list of tables.
 */
int report_sql(const struct journal *journal, const char *query, enum report_form form,
               struct report_target target, struct err *e);

/*
 * Appends a shell command that runs trial `id` again, from any folder: the words that the trial
 * got, with its environment; a secret becomes "${NAME:?}", unless study->shows_secrets. Its files
 * are created below DIR/rerun, so that those of the trial stay. `dir` is the study folder. A
 * built-in function is written as name(x=1, y=2), the user's own as model.py:run {"x":1,"y":2}.
 */
void report_command(const struct study *study, const char *dir, uint64_t id, const double *point,
                    struct str *s);

/*
 * The same for a shell that is started at once: the variables are not among the words, which every
 * user of the machine can read, but in `environment`, as NAME=value, each ended by a zero. There
 * must be a command.
 */
void report_rerun(const struct study *study, const char *dir, uint64_t id, const double *point,
                  struct str *s, struct str *environment);

#endif
