/*
 * report - a loaded journal as things that people read: a page, tables, a database.
 *
 * The functions only read the journal; it stays the caller's. Files are replaced at once: readers
 * see the old or the new one, and a failure leaves the old one. Nothing here keeps more than a few
 * bytes a trial in memory, except the databases.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/base.h"
#include "journal/journal.h"

/* Where rows go: the file at `path`, or the open descriptor `fd` when path is NULL. */
struct report_target {
    const char *path;
    int fd;
};

/*
 * One page that holds everything it needs and opens offline. Above REPORT_TRIALS trials it has an
 * even choice of them, and the best, the last failures and the records in full; counts are exact.
 */
enum { REPORT_TRIALS = 200000, REPORT_BEST = 1000, REPORT_FAILURES = 200 };
/* Writes the page of a study to a file. */
int report_html(const struct journal *journal, const char *path, struct err *e);

/*
 * One page about several studies: their Gantt charts side by side, their convergence, a table.
 * Above REPORT_COMPARED trials in all, each study has an even choice as above.
 */
enum { REPORT_COMPARED = 60000, REPORT_STUDIES = 24 };
/* Writes the page about these studies to a file. */
int report_compare(const struct journal *journals, size_t count, const char *path, struct err *e);

/*
 * One row a trial (RFC 4180): trial, state, score, times in seconds since the study began, what it
 * used, how it ended, of several objectives each score and whether it is on the front, with
 * measured constraints by how much they are broken, each parameter, each metric. What is not known
 * or not active is empty. A parameter named as an earlier column gets the prefix "param_", a metric
 * "metric_".
 */
int report_csv(const struct journal *journal, struct report_target target, struct err *e);

/* An object with "study" and "trials", a list of one object a trial, each on a line of its own. */
int report_json(const struct journal *journal, struct report_target target, struct err *e);

/*
 * An SQLite database: study(key, value), trials (the columns of the CSV but the metrics),
 * metrics(trial, name, value), logs(trial, log) of the trials that failed.
 */
int report_sqlite(const struct journal *journal, const char *path, struct err *e);

enum report_form {
    REPORT_TABLE, /* aligned columns, for people */
    REPORT_CSV,
    REPORT_LINES, /* a JSON object a line */
};

/*
 * Runs one query on the same database, in memory, and writes its rows. Anything that does more than
 * read is refused; a mistake is ERR_USER, with SQLite's message and the tables that there are.
 */
int report_sql(const struct journal *journal, const char *query, enum report_form form,
               struct report_target target, struct err *e);

/*
 * Appends a line for a shell that runs trial `id` again, from any folder: the words that the trial
 * was given, with its environment. Files of its own are made anew below DIR/rerun, so that those of
 * the trial stay. `dir` is the study's folder. A function is written as name(x=1, y=2), one of a
 * file as model.py:run {"x":1,"y":2}.
 */
void report_command(const struct study *study, const char *dir, uint64_t id, const double *point,
                    struct str *s);

#endif
