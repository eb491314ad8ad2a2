/*
 * columns.h - private to the room: what a page knows about each trial besides the fixed columns, as
 * columns of JSON numbers: metrics, several scores, violated constraints.
 */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/report.h"

/* Adds a number to a column: whole numbers as they are, others with 6 digits, NaN as null. */
void columns_add_number(struct str *column, double number);

enum { METRICS_MOST = 12 };

/* The first METRICS_MOST names that occur. Start with {0} and metrics_free() it. */
struct metrics {
    char names[METRICS_MOST][sizeof((struct outcome_metric *)0)->name];
    struct str columns[METRICS_MOST]; /* JSON numbers or null, one per row, with commas */
    size_t count;
    size_t rows;
};

/* Appends a row; the metric called `score` is left out, since it is the score. */
void metrics_add(struct metrics *metrics, const struct outcome *result, const char *score);
/* The value of the metric with this name; NaN: none. */
double metrics_find(const struct outcome *result, const char *name);
void metrics_free(struct metrics *metrics);

/* Start with {.journal = ...} and objectives_free() it. */
struct objectives {
    const struct journal *journal;
    /* JSON numbers or null, one per row, with commas; empty if the study has no such thing. */
    struct str scores[SEARCH_OBJECTIVES];
    struct str front;  /* 1: it is on the front */
    struct str broken; /* null, or the index in `texts` of what it violates */
    struct str texts;  /* JSON strings, with commas */
    struct map places; /* index of each text */
    struct arena arena;
};

/* Appends a row. */
void objectives_add(struct objectives *objectives, size_t index, const double *point,
                    const struct outcome *result);
/* Adds the columns as members: "scores":[[...],...],"front":[...],"broken":[...] */
void objectives_put_columns(const struct objectives *objectives, struct str *s);
/* Adds what the columns stand for: "objectives":[{...}],"broken":["size <= 300",...] */
void objectives_put_names(const struct objectives *objectives, struct str *s);
void objectives_free(struct objectives *objectives);

#endif
