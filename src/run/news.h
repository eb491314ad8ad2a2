/*
 * news.h - results on their way to the observer (private to this room).
 *
 * A result is appended to the journal at once, and announced when its record is on disk: what a
 * user has seen survives a crash.
 */
#ifndef RUN_NEWS_H
#define RUN_NEWS_H

#include "run/run.h"

/* A result that is in the journal and not yet known to be on disk. */
struct announcement {
    uint64_t record; /* of the journal, counted as journal_appended() does */
    struct run_trial trial;
    struct arena arena; /* what `trial` points to */
    bool counted;       /* the trial was counted as stopped before */
    uint64_t best;      /* the best trial with this result, and those before */
    double best_score;
};

/* Announcements in the order of their records, from `next` on. Start with {0}. */
struct news {
    struct announcement *items;
    size_t next, count, capacity;
};

/* Adds an announcement, which the caller fills; it is good until the next one is added. */
struct announcement *news_add(struct news *news);
/*
 * Then: copies all that its trial points to. `width` and `objectives` say how long its point and
 * its scores are, and `log` is what it printed.
 */
void news_keep(struct announcement *announcement, size_t width, size_t objectives,
               const struct str *log);
/* Shows all results up to a record, and forgets them. */
void news_publish(struct news *news, uint64_t record,
                  void (*show)(void *self, const struct announcement *announcement), void *self);
/* True when nothing waits. */
bool news_is_empty(const struct news *news);
/* Frees what it holds. */
void news_free(struct news *news);

#endif
