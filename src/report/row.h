/* row.h - a trial with everything that the journal says of it, and the columns that show it. */
#ifndef REPORT_ROW_H
#define REPORT_ROW_H

#include "report/report.h"

/* One trial. Owns point and result; read the next one into the same row. */
struct row {
    size_t index;
    const struct journal_trial *trial;
    const char *id; /* in its parameter file, or NULL */
    double *point;
    struct outcome result;
};

void row_init(struct row *row, const struct journal *journal);
int row_read(struct row *row, const struct journal *journal, size_t index, struct err *e);
void row_free(struct row *row);

/* The columns of every table of trials, before parameters and metrics. */
enum { ROW_FIXED = 17 };
extern const char *const row_names[ROW_FIXED];
/* False for `id` when the study does not come from a parameter file: its tables leave it out. */
bool row_has(const struct journal *journal, size_t column);
/* How many of the fixed columns the tables of a study have. */
size_t row_width(const struct journal *journal);

/*
 * Columns that only some studies have, after the fixed ones: of several objectives each score and
 * `front` (1 or 0); with measured constraints `violation`. All of them are numbers.
 */
size_t row_extra_count(const struct journal *journal);
const char *row_extra_name(const struct journal *journal, size_t extra);
double row_extra(const struct row *row, const struct journal *journal, size_t extra);

/* A fixed column of a row as a number, NaN when it is empty; `id`, `state`, `reason` are texts. */
double row_number(const struct row *row, size_t column);
/* NULL when the column is a number. */
const char *row_text(const struct row *row, size_t column);

/*
 * Names of columns, no two the same, whatever their case (SQLite does not look at it). A name that
 * is taken gets the prefix, as often as it takes.
 */
struct column_names {
    struct arena arena;
    struct map taken;
    const char **names;
    size_t count, capacity;
};

void column_names_add(struct column_names *columns, const char *name, const char *prefix);
/* The fixed columns, the extra ones and the parameters. */
void column_names_init(struct column_names *columns, const struct journal *journal);
void column_names_free(struct column_names *columns);

#endif
