/* Which trials a page shows when there are too many. */
#include "report/choose.h"
#include "tap.h"

#include <math.h>

enum { COUNT = 50000, LIMIT = 1000 };

/* The scores descend slowly, with waves; every 50th trial failed; trials end in pairs. */
static void make(struct journal *journal)
{
    *journal = (struct journal){.count = COUNT};
    journal->trials = memory_new(COUNT, sizeof *journal->trials);
    journal->completions = memory_new(COUNT, sizeof *journal->completions);
    for (size_t i = 0; i < COUNT; i++) {
        bool bad = i % 50 == 49;
        double place = (double)i;
        journal->trials[i] =
            (struct journal_trial){.state = bad ? OUTCOME_FAILED : OUTCOME_DONE,
                                   .score = bad ? NAN : 1e5 - place + 9 * sin(place),
                                   .started = place,
                                   .ended = place + 1};
        journal->completions[i] = (uint32_t)(i ^ 1);
    }
    journal->completion_count = COUNT;
}

/* True if every trial that was the best so far is kept. */
static bool has_records(const struct journal *journal, const unsigned char *keep, bool by_time)
{
    double best = INFINITY;
    for (size_t k = 0; k < COUNT; k++) {
        size_t i = by_time ? journal->completions[k] : k;
        if (journal->trials[i].state != OUTCOME_DONE || journal->trials[i].score >= best)
            continue;
        best = journal->trials[i].score;
        if (!keep[i])
            return false;
    }
    return true;
}

/* The longest run of trials of which none is kept. */
static size_t longest_gap(const unsigned char *keep)
{
    size_t longest = 0, gap = 0;
    for (size_t i = 0; i < COUNT; i++) {
        gap = keep[i] ? 0 : gap + 1;
        longest = gap > longest ? gap : longest;
    }
    return longest;
}

int main(void)
{
    struct journal journal;
    uint32_t best[REPORT_BEST], failures[REPORT_FAILURES];
    unsigned char *keep = memory_new(COUNT, 1);
    make(&journal);

    ok(choose_trials(&journal, COUNT, keep) == COUNT, "up to the limit all are kept");
    /* In a descent nearly every trial is a record, so make records rare in the rest. */
    for (size_t i = 0; i < COUNT; i++)
        journal.trials[i].score += i % 997 ? 2e5 : 0;
    journal.trials[COUNT - 3].state = OUTCOME_RUNNING;
    size_t kept = choose_trials(&journal, LIMIT, keep);
    ok(kept >= LIMIT && kept <= LIMIT + REPORT_BEST + REPORT_FAILURES + 200,
       "above it there are the limit and what is kept in full (%zu)", kept);
    ok(longest_gap(keep) <= COUNT / LIMIT, "the choice is even");
    ok(has_records(&journal, keep, false), "every record by number is kept");
    ok(has_records(&journal, keep, true), "every record by time is kept");
    ok(keep[COUNT - 3], "a running trial is kept");

    bool all = true;
    size_t count = journal_top(&journal, REPORT_BEST, best);
    for (size_t i = 0; i < count; i++)
        all &= keep[best[i]];
    ok(count == REPORT_BEST && all, "the best are kept");

    count = choose_failures(&journal, failures);
    all = true;
    for (size_t i = 0; i < count; i++)
        all &= keep[failures[i]];
    ok(count == REPORT_FAILURES && all, "the last failures are kept");
    ok(failures[0] == COUNT - 1 && failures[1] == COUNT - 51, "the latest of them comes first");

    ok(outcome_state_failed(OUTCOME_NAN) && outcome_state_failed(OUTCOME_TIMEOUT),
       "a score that is none is a failure");
    ok(!outcome_state_failed(OUTCOME_STOPPED) && !outcome_state_failed(OUTCOME_INTERRUPTED) &&
           !outcome_state_failed(OUTCOME_RUNNING) && !outcome_state_failed(OUTCOME_DONE),
       "what was stopped, interrupted, runs or is done is none");
    free(journal.trials);
    free(journal.completions);
    free(keep);
    return tap_end();
}
