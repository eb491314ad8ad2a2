/*
 * recall.c - trials of an earlier run, found again by their points.
 *
 * A program that speaks the queues of EMEWS knows nothing of an earlier run: it starts again, and
 * if it is deterministic it suggests the same points in the same order. Each of them gets the
 * recorded trial, so that nothing runs twice.
 *
 * Trials that were cut off run again at once, and may have ended before the program
 * suggests them: so what comes of them is noted here, too.
 */
#include "steer/recall.h"

#include <math.h>

/* Points are compared as bytes, so all NaNs and all zeros must be the same bytes. */
static void normalise(double *point, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        if (isnan(point[i]))
            point[i] = NAN;
        else if (point[i] == 0)
            point[i] = 0;
    }
}

static struct slice key_of(const double *point, size_t width)
{
    return (struct slice){(const char *)point, width * sizeof *point};
}

static void add(struct recall *r, uint64_t id, const double *point)
{
    int64_t number = map_find(&r->map, key_of(point, r->width));
    if (number != MAP_NONE) {
        r->next[r->last[number] - 1] = id;
        r->last[number] = id;
        return;
    }
    map_add(&r->map, key_of(point, r->width), (uint32_t)r->different);
    r->first[r->different] = r->last[r->different] = id;
    r->different++;
}

int recall_open(struct recall *r, const struct journal *journal, struct err *e)
{
    size_t width = journal->study.space.count;
    *r = (struct recall){
        .width = width, .objectives = study_objectives(&journal->study), .count = journal->count};
    r->scores = memory_new(r->count * r->objectives + 1, sizeof *r->scores);
    r->points = memory_new(journal->count * width + 1, sizeof *r->points);
    r->next = memory_new(journal->count + 1, sizeof *r->next);
    r->first = memory_new(journal->count + 1, sizeof *r->first);
    r->last = memory_new(journal->count + 1, sizeof *r->last);
    for (size_t i = 0; i < journal->count; i++) {
        double *point = r->points + i * width;
        if (journal_point(journal, i, point, e))
            return e->code;
        normalise(point, width);
        add(r, i + 1, point);
        bool good = journal_scored(&journal->trials[i]);
        recall_note(r, i + 1, good ? journal_scores(journal, i) : NULL);
    }
    return 0;
}

void recall_note(struct recall *r, uint64_t id, const double *scores)
{
    for (size_t i = 0; id <= r->count && i < r->objectives; i++)
        r->scores[(id - 1) * r->objectives + i] = scores ? scores[i] : NAN;
}

const double *recall_scores(const struct recall *r, uint64_t id)
{
    return r->scores + (id - 1) * r->objectives;
}

uint64_t recall_next(struct recall *r, const double *point)
{
    if (r->different == 0)
        return 0;
    double *key = memory_new(r->width + 1, sizeof *key);
    memcpy(key, point, r->width * sizeof *key);
    normalise(key, r->width);
    int64_t number = map_find(&r->map, key_of(key, r->width));
    free(key);
    if (number == MAP_NONE || r->first[number] == 0)
        return 0;
    uint64_t id = r->first[number];
    r->first[number] = r->next[id - 1];
    return id;
}

void recall_close(struct recall *r)
{
    map_free(&r->map);
    free(r->points);
    free(r->scores);
    free(r->next);
    free(r->first);
    free(r->last);
}
