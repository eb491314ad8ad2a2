/* metrics.h - what trials gave beside the score, as the columns of a page. */
#ifndef REPORT_METRICS_H
#define REPORT_METRICS_H

#include "report/report.h"

enum { METRICS_MOST = 12 };

/* The first METRICS_MOST names that occur. Start with {0} and metrics_free() it. */
struct metrics {
    char names[METRICS_MOST][sizeof((struct outcome_metric *)0)->name];
    struct str columns[METRICS_MOST]; /* JSON numbers or null, one a row, with commas */
    size_t count;
    size_t rows;
};

/* Appends a row; the metric called `score` is left out, for it is the score again. */
void metrics_add(struct metrics *metrics, const struct outcome *result, const char *score);
/* The value of a result's metric of this name, NaN when it has none. */
double metrics_find(const struct outcome *result, const char *name);
void metrics_free(struct metrics *metrics);

#endif
