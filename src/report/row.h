/* row.h - private to the room: a trial with everything that is known about it, and its columns. */
#ifndef REPORT_ROW_H
#define REPORT_ROW_H

#include "report/report.h"

/* One trial. Owns point and result; the next trial can be read into the same row. */
struct row {
    size_t index;
    const struct journal_trial *trial;
    const char *id;         /* its id in the parameter file, or NULL */
    const char *node, *job; /* where it ran last; "": unknown, none */
    char started_at[32], ended_at[32];
    double *point;
    struct outcome result;
};

/* Prepares a row for the trials of a journal. */
void row_init(struct row *row, const struct journal *journal);
/* Reads a trial into it. */
int row_read(struct row *row, const struct journal *journal, size_t index, struct err *e);
/* Frees what it owns. */
void row_free(struct row *row);

/* The columns of every table of trials, before parameters and metrics. */
enum { ROW_FIXED = 21 };
extern const char *const row_names[ROW_FIXED];
/* False for `id` if the study does not come from a parameter file: its tables omit that column. */
bool row_has(const struct journal *journal, size_t column);
/* The number of fixed columns in the tables of a study. */
size_t row_width(const struct journal *journal);

/*
 * The number of columns that follow the fixed ones in some studies: with several objectives each
 * score and `front` (1 or 0), with measured constraints `violation`. All of them are numbers.
 */
size_t row_extra_count(const struct journal *journal);
/* The name of such a column. */
const char *row_extra_name(const struct journal *journal, size_t extra);
/* Its value in a row; NaN: none. */
double row_extra(const struct row *row, const struct journal *journal, size_t extra);

/* A fixed column as a number, NaN if it is empty or text. */
double row_number(const struct row *row, size_t column);
/* A fixed column as text; NULL if it is a number. */
const char *row_text(const struct row *row, size_t column);

/*
 * Names of columns, all different, regardless of case, which SQLite ignores. A name that is taken
 * gets the prefix, as often as necessary.
 */
struct column_names {
    struct arena arena;
    struct map taken;
    const char **names;
    size_t count, capacity;
};

/* Adds a name. */
void column_names_add(struct column_names *columns, const char *name, const char *prefix);
/* The fixed columns, the extra ones and the parameters. */
void column_names_init(struct column_names *columns, const struct journal *journal);
/* Frees the names. */
void column_names_free(struct column_names *columns);

#endif
