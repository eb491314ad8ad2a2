/* told.h - what the caller of wick asktell tells of a trial (private to this room). */
#ifndef RUN_TOLD_H
#define RUN_TOLD_H

#include "search/search.h"
#include "trial/trial.h"

/* One object of "tell", as it was read; whether it makes sense is for others to say. */
struct told {
    double id; /* NaN: none */
    bool failed;
    size_t score_count; /* may be more than there is room for */
    double scores[SEARCH_OBJECTIVES];
};

/* Reads an object of JSON that is known to be well formed; metrics and reason go into `result`. */
int told_read(struct json *j, struct told *told, struct trial_result *result, struct err *e);

/* ERR_USER: "unknown key 'scroe' in 'tell': did you mean 'score'?"; `where` may be "". */
int told_unknown_key(struct slice key, const char *where, const char *const *words, struct err *e);

#endif
