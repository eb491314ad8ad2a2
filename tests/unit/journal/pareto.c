/* The Pareto front of a journal: compared with brute force, and in odd cases. */
#include "journal/pareto.h"

#include "tap.h"

enum { MOST = 3000 };

static struct journal_trial trials[MOST];
static double scores[MOST * 4];

static struct journal make(size_t count, size_t objectives, const bool *maximize)
{
    struct journal journal = {.trials = trials, .count = count, .scores = scores};
    journal.study.search.objectives = objectives;
    memcpy(journal.study.search.maximize, maximize, objectives * sizeof *maximize);
    return journal;
}

/* Scores from a small set, so that many are equal. */
static void fill(struct random *random, size_t count, size_t objectives, uint64_t levels)
{
    for (size_t i = 0; i < count; i++) {
        bool failed = random_below(random, 10) == 0, breaks = random_below(random, 10) == 0;
        trials[i] = (struct journal_trial){.state = failed ? OUTCOME_FAILED : OUTCOME_DONE,
                                           .violation = breaks ? 0.1 : 0,
                                           .ended = (double)random_below(random, 100)};
        for (size_t k = 0; k < objectives; k++)
            scores[i * objectives + k] = failed ? NAN : (double)random_below(random, levels);
    }
}

/* True if a makes b superfluous: as good in all scores, and better in one or earlier. */
static bool beats(const struct journal *journal, size_t a, size_t b)
{
    const double *x = journal_scores(journal, a), *y = journal_scores(journal, b);
    bool better = false;
    for (size_t k = 0; k < study_objectives(&journal->study); k++) {
        double sign = journal->study.search.maximize[k] ? -1 : 1;
        if (sign * x[k] > sign * y[k])
            return false;
        better = better || x[k] != y[k];
    }
    return better || trials[a].ended < trials[b].ended ||
           (trials[a].ended == trials[b].ended && a < b);
}

static bool is_right(const struct journal *journal)
{
    size_t marked = 0;
    for (size_t i = 0; i < journal->count; i++) {
        bool beaten = !journal_is_valid(&trials[i]);
        for (size_t k = 0; k < journal->count && !beaten; k++)
            beaten = k != i && journal_is_valid(&trials[k]) && beats(journal, k, i);
        if (trials[i].on_front == beaten)
            return false;
        marked += trials[i].on_front;
    }
    for (size_t i = 1; i < journal->front_count; i++) {
        double before = journal_scores(journal, journal->front[i - 1])[0];
        double now = journal_scores(journal, journal->front[i])[0];
        if (journal->study.search.maximize[0] ? before < now : before > now)
            return false;
    }
    return marked == journal->front_count;
}

static void test_brute_force(void)
{
    struct random random;
    random_seed(&random, 1, 0);
    for (size_t objectives = 2; objectives <= 4; objectives++) {
        int wrong = 0;
        for (int round = 0; round < 60; round++) {
            const bool maximize[] = {round % 2, round % 3 == 0, round % 5 == 0, false};
            size_t count = 1 + random_below(&random, 120);
            struct journal journal = make(count, objectives, maximize);
            fill(&random, count, objectives, round % 4 == 0 ? 3 : 1000);
            pareto_find(&journal);
            wrong += !is_right(&journal);
            free(journal.front);
        }
        ok(wrong == 0, "with %zu objectives 60 fronts are those of brute force", objectives);
    }
}

static void test_odd(void)
{
    const bool maximize[] = {false, false};
    struct journal journal = make(0, 2, maximize);
    pareto_find(&journal);
    ok(journal.front_count == 0 && journal_best(&journal) == -1, "without trials it is empty");
    free(journal.front);
    struct random random;
    random_seed(&random, 2, 0);
    journal = make(MOST, 2, maximize);
    fill(&random, MOST, 2, 1);
    pareto_find(&journal);
    ok(journal.front_count == 1, "of equal trials one is on it");
    free(journal.front);
    for (size_t i = 0; i < MOST; i++) {
        trials[i] = (struct journal_trial){.state = OUTCOME_DONE};
        scores[2 * i] = (double)i;
        scores[2 * i + 1] = -(double)i;
    }
    pareto_find(&journal);
    uint32_t top[2];
    ok(journal.front_count == MOST && journal_top(&journal, 2, top) == 2 && top[0] == 0 &&
           top[1] == 1,
       "all trials may be on it, the best first score first");
    free(journal.front);
}

int main(void)
{
    test_brute_force();
    test_odd();
    return tap_end();
}
