/* objectives.h - several scores and broken constraints, as the columns of a page. */
#ifndef REPORT_OBJECTIVES_H
#define REPORT_OBJECTIVES_H

#include "report/report.h"

/* Start with {.journal = ...} and objectives_free() it. */
struct objectives {
    const struct journal *journal;
    /* JSON numbers or null, one a row, with commas; empty where the study has no such thing. */
    struct str scores[SEARCH_OBJECTIVES];
    struct str front;  /* 1: it is on the front */
    struct str broken; /* null, or the place in `texts` of what it breaks */
    struct str texts;  /* JSON strings, with commas */
    struct map places; /* of these */
    struct arena arena;
};

/* Appends a row. */
void objectives_add(struct objectives *objectives, size_t index, const double *point,
                    const struct outcome *result);
/* Appends the columns: ,"scores":[[...],...],"front":[...],"broken":[...] */
void objectives_put_columns(const struct objectives *objectives, struct str *s);
/* Appends what the columns stand for: ,"objectives":[{...}],"broken":["size <= 300",...] */
void objectives_put_names(const struct objectives *objectives, struct str *s);
void objectives_free(struct objectives *objectives);

#endif
