/* silence.c - whether a study is stuck. */
#include "standing/standing.h"

#include <math.h>

enum { FEWEST = 5 };                                         /* durations that say something */
static const double SHORTEST = 60, MEDIANS = 5, LONGEST = 2; /* seconds; times what is known */

void standing_add_duration(struct standing_durations *durations, double seconds)
{
    durations->recent[durations->count++ % STANDING_DURATIONS] = seconds;
    durations->longest = fmax(durations->longest, seconds);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double find_median(const struct standing_durations *durations)
{
    double sorted[STANDING_DURATIONS];
    size_t count = durations->count < STANDING_DURATIONS ? durations->count : STANDING_DURATIONS;
    memcpy(sorted, durations->recent, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    return sorted[count / 2];
}

struct standing_silence standing_judge_silence(const struct standing_durations *durations,
                                               double seconds)
{
    if (durations->count < FEWEST || seconds <= fmax(SHORTEST, LONGEST * durations->longest))
        return (struct standing_silence){0};
    double median = find_median(durations);
    if (seconds <= MEDIANS * median)
        return (struct standing_silence){0};
    return (struct standing_silence){.stuck = true, .seconds = seconds, .median = median};
}

void standing_add_durations(struct standing_durations *durations, const struct journal *journal)
{
    for (size_t i = 0; i < journal->completion_count; i++) {
        const struct journal_trial *trial = &journal->trials[journal->completions[i]];
        if (trial->state == OUTCOME_DONE)
            standing_add_duration(durations, trial->ended - trial->started);
    }
}

/* A trial that was started after the last end, perhaps by a resume, has its own time to end. */
static double seconds_without_end(const struct journal *journal, double now)
{
    double first = INFINITY, last = 0;
    for (size_t i = 0; i < journal->count; i++) {
        const struct journal_trial *trial = &journal->trials[i];
        if (trial->state == OUTCOME_RUNNING)
            first = fmin(first, trial->started);
        else
            last = fmax(last, trial->ended);
    }
    return isfinite(first) ? now - fmax(first, last) : 0;
}

struct standing_silence standing_silence(const struct journal *journal, double now)
{
    double seconds = seconds_without_end(journal, now);
    if (seconds <= SHORTEST)
        return (struct standing_silence){0};
    struct standing_durations durations = {0};
    standing_add_durations(&durations, journal);
    return standing_judge_silence(&durations, seconds);
}
