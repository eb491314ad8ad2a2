/*
 * pareto.c - the Pareto front of a study with several objectives.
 *
 * The trials are sorted by their scores, the first score first, so a trial can be dominated only by
 * an earlier one. With two objectives, the smallest second score so far decides; with more, each
 * trial is compared with the front so far.
 */
#include "journal/pareto.h"

#include "num/num.h"

bool journal_is_valid(const struct journal_trial *trial)
{
    return journal_scored(trial) && trial->violation <= 0;
}

const double *journal_scores(const struct journal *journal, size_t index)
{
    if (!journal->scores)
        return &journal->trials[index].score;
    return journal->scores + index * study_objectives(&journal->study);
}

struct candidate {
    const double *scores; /* one per objective, all to be minimized */
    size_t count;
    double ended;
    uint32_t index;
};

static int compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    for (size_t i = 0; i < x->count; i++)
        if (x->scores[i] != y->scores[i])
            return x->scores[i] < y->scores[i] ? -1 : 1;
    if (x->ended != y->ended)
        return x->ended < y->ended ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Moves the front to the start; returns its size. */
static size_t keep_front(struct candidate *candidates, size_t count, size_t objectives)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool beaten = false;
        /* With two objectives, the last of the front has the smallest second score. */
        size_t first = objectives == 2 && kept > 0 ? kept - 1 : 0;
        for (size_t k = first; k < kept && !beaten; k++)
            beaten = num_covers(candidates[k].scores, candidates[i].scores, objectives, NULL);
        if (!beaten)
            candidates[kept++] = candidates[i];
    }
    return kept;
}

void pareto_find(struct journal *journal)
{
    const bool *maximize = journal->study.search.maximize;
    size_t objectives = study_objectives(&journal->study), count = 0;
    struct candidate *candidates = memory_new(journal->count, sizeof *candidates);
    double *turned = memory_new(journal->count * objectives, sizeof *turned);
    for (size_t i = 0; i < journal->count; i++) {
        const struct journal_trial *trial = &journal->trials[i];
        const double *given = journal_scores(journal, i);
        double *scores = turned + count * objectives;
        for (size_t k = 0; k < objectives; k++)
            scores[k] = maximize[k] ? -given[k] : given[k];
        candidates[count] = (struct candidate){scores, objectives, trial->ended, (uint32_t)i};
        count += journal_is_valid(trial);
    }
    qsort(candidates, count, sizeof *candidates, compare);
    journal->front_count = keep_front(candidates, count, objectives);
    journal->front = memory_new(journal->front_count, sizeof *journal->front);
    for (size_t i = 0; i < journal->front_count; i++) {
        journal->front[i] = candidates[i].index;
        journal->trials[candidates[i].index].on_front = true;
    }
    free(turned);
    free(candidates);
}
