/*
 * race.c - one search on one problem.
 *
 * With several trials at a time, the race is a simulation: the duration of each trial is a
 * log-normal number that depends on the problem, the seed and the trial's number, so all contenders
 * see the same durations; the trial that ends first is told, and one more point is asked for.
 *
 * The noise of a problem is drawn in the same way. The best so far is the trial with the best
 * reported score, since a user would choose that, and it is judged by its true score.
 */
#include "bench/search/contest.h"

#include <math.h>

static const double spread = 0.5; /* standard deviation of the logarithm of durations */

const size_t checkpoints[CHECKPOINTS] = {25, 50, 100};

/* Who is asked: a search of ours, or a peer. */
struct racer {
    struct search_settings settings;
    struct search *search;
    struct peer *peer;
};

struct trial {
    double end;   /* when it ends */
    double noise; /* added to its score */
    bool runs;
};

struct race {
    const struct problem *problem;
    struct racer *racer;
    uint64_t seed;
    size_t parallel, width;
    struct trial trials[BUDGET];
    double *points;
    size_t asked, told, running;
    bool at_end; /* there is nothing left to ask for */
    double now, best_told, best_true, seconds;
};

static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    while (*name)
        hash = (hash ^ (unsigned char)*name++) * UINT64_C(1099511628211);
    return hash;
}

static enum search_answer ask(struct race *race, double *point)
{
    if (race->racer->search)
        return search_ask(race->racer->search, point);
    peer_ask(race->racer->peer, race->problem, race->asked, point);
    return SEARCH_POINT;
}

static void tell(struct race *race, size_t k, double score)
{
    struct search_result result = {.good = !isnan(score), .scores = {score}};
    if (race->racer->search)
        search_tell(race->racer->search, k, &result);
    else
        peer_tell(race->racer->peer, k, score);
}

/* Returns false if nothing can be started now. */
static bool start_trial(struct race *race)
{
    size_t k = race->asked;
    if (race->at_end || race->running == race->parallel || k == BUDGET)
        return false;
    double before = clock_now();
    enum search_answer answer = ask(race, race->points + k * race->width);
    race->seconds += clock_now() - before;
    race->at_end = answer == SEARCH_END;
    if (answer != SEARCH_POINT)
        return false;
    struct random random;
    random_seed(&random, hash_name(race->problem->name) + race->seed, k);
    double duration = exp(spread * random_normal(&random));
    double noise = race->problem->noise * random_normal(&random);
    race->trials[k] = (struct trial){race->now + duration, noise, true};
    race->asked++;
    race->running++;
    return true;
}

static void finish_trial(struct race *race)
{
    size_t next = BUDGET;
    for (size_t k = 0; k < race->asked; k++)
        if (race->trials[k].runs &&
            (next == BUDGET || race->trials[k].end < race->trials[next].end))
            next = k;
    struct trial *trial = &race->trials[next];
    double score = problem_score(race->problem, race->points + next * race->width);
    double told = score + trial->noise;
    if (told < race->best_told) {
        race->best_told = told;
        race->best_true = score;
    }
    race->now = trial->end;
    trial->runs = false;
    race->running--;
    race->told++;
    double before = clock_now();
    tell(race, next, told);
    race->seconds += clock_now() - before;
}

static void run(struct race *race, struct outcome *outcome)
{
    size_t checkpoint = 0;
    race->points = memory_new(BUDGET * race->width, sizeof *race->points);
    for (;;) {
        while (start_trial(race))
            ;
        if (race->running == 0)
            break;
        finish_trial(race);
        if (race->told == checkpoints[checkpoint])
            outcome->best[checkpoint++] = race->best_true;
    }
    while (checkpoint < CHECKPOINTS) /* all points of a small space have been tried */
        outcome->best[checkpoint++] = race->best_true;
    free(race->points);
    outcome->seconds = race->seconds;
}

/* Returns false if it does not support such a space. */
static bool open_racer(struct racer *racer, const struct contender *contender,
                       const struct problem *problem, const struct race *race, struct peer **peer)
{
    *racer = (struct racer){0};
    if (contender->is_peer) {
        *peer = *peer ? *peer : peer_open();
        racer->peer = *peer;
        if (racer->peer)
            peer_begin(racer->peer, contender->algorithm, problem, race->seed, race->parallel);
        return racer->peer;
    }
    racer->settings = (struct search_settings){
        .algorithm = contender->algorithm,
        .seed = race->seed,
        .trials = BUDGET,
        .workers = race->parallel,
        .objectives = 1,
        .has_options = true,
    };
    memcpy(racer->settings.options, contender->options, sizeof contender->options);
    struct err e = {0};
    if (search_check(&racer->settings, &problem->study.space, &e))
        return false;
    racer->search = search_create(&racer->settings, &problem->study.space);
    return true;
}

void race_run(const struct contender *contender, const struct problem *problem, uint64_t seed,
              size_t parallel, struct peer **peer, struct outcome *outcome)
{
    struct racer racer;
    struct race race = {
        .problem = problem,
        .racer = &racer,
        .seed = seed,
        .parallel = parallel,
        .width = problem->study.space.count,
        .best_told = INFINITY,
        .best_true = INFINITY,
    };
    *outcome = (struct outcome){.best = {NAN, NAN, NAN}};
    if (open_racer(&racer, contender, problem, &race, peer))
        run(&race, outcome);
    search_free(racer.search);
    outcome->known = true;
}
