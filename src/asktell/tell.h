/* tell.h - the result of a trial, as the caller of wick asktell tells it (private to this room). */
#ifndef ASKTELL_TELL_H
#define ASKTELL_TELL_H

#include "outcome/outcome.h"
#include "search/search.h"

/* One item of "tell", as it was read; whether it makes sense is for others to say. */
struct tell {
    double id; /* NaN: none */
    bool failed;
    size_t score_count; /* may be more than `scores` has room for */
    double scores[SEARCH_OBJECTIVES];
};

/* Reads an object of well-formed JSON; metrics and reason go into `result`. */
int tell_read(struct json *j, struct tell *tell, struct outcome *result, struct err *e);

#endif
