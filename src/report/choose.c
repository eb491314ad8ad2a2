/* choose.c - which trials a page shows if there are too many for it. */
#include "report/choose.h"

#include <math.h>

size_t choose_failures(const struct journal *journal, uint32_t indexes[REPORT_FAILURES])
{
    size_t count = 0;
    for (size_t i = journal->completion_count; i-- > 0 && count < REPORT_FAILURES;)
        if (outcome_state_failed(journal->trials[journal->completions[i]].state))
            indexes[count++] = journal->completions[i];
    return count;
}

static void keep_best(const struct journal *journal, unsigned char *keep)
{
    uint32_t best[REPORT_BEST];
    size_t count = journal_top(journal, REPORT_BEST, best);
    for (size_t i = 0; i < count; i++)
        keep[best[i]] = 1;
}

static void keep_front(const struct journal *journal, unsigned char *keep)
{
    for (size_t i = 0; i < journal->front_count; i++)
        keep[journal->front[i]] = 1;
}

static void keep_failures(const struct journal *journal, unsigned char *keep)
{
    uint32_t last[REPORT_FAILURES];
    size_t count = choose_failures(journal, last);
    for (size_t i = 0; i < count; i++)
        keep[last[i]] = 1;
}

/* Keeps a trial that is valid and better than `best`; returns the best so far. */
static double keep_record(const struct journal *journal, size_t index, double best,
                          unsigned char *keep)
{
    const struct journal_trial *trial = &journal->trials[index];
    bool better = journal->study.model.maximize ? trial->score > best : trial->score < best;
    if (!journal_is_valid(trial) || !(isnan(best) || better))
        return best;
    keep[index] = 1;
    return trial->score;
}

size_t choose_trials(const struct journal *journal, size_t limit, unsigned char *keep)
{
    size_t kept = 0;
    double by_number = NAN, by_time = NAN;
    bool all = journal->count <= limit;
    for (size_t i = 0; i < journal->count; i++) {
        bool even = all || (i + 1) * limit / journal->count != i * limit / journal->count;
        keep[i] = even || journal->trials[i].state == OUTCOME_RUNNING;
        by_number = keep_record(journal, i, by_number, keep);
    }
    for (size_t i = 0; i < journal->completion_count; i++)
        by_time = keep_record(journal, journal->completions[i], by_time, keep);
    keep_best(journal, keep);
    keep_front(journal, keep);
    keep_failures(journal, keep);
    for (size_t i = 0; i < journal->count; i++)
        kept += keep[i];
    return kept;
}
