/*
 * genetic.c - a genetic algorithm: selection, crossover and mutation.
 *
 * It works as users of DEAP expect (F.-A. Fortin et al., "DEAP: Evolutionary Algorithms Made Easy",
 * 2012): `simple` breeds from the last generation by crossover and then mutation; `mu_plus_lambda`
 * breeds from the best of all results by either of them; parents are chosen by tournament.
 *
 * There is no barrier unless the user wants one: a suggestion is bred from the known results, and
 * the last generation of `simple` consists of the last results that came in. All results are kept:
 * a failed trial is worse than any other, and does not breed while there are others.
 */
#include "search/breed.h"

#include <math.h>

enum { TRIES = 20 }; /* attempts to breed a new child */

enum strategy { SIMPLE, MU_PLUS_LAMBDA };

static const char *const strategies[] = {"simple", "mu_plus_lambda", NULL};
static const char *const yes_or_no[] = {"false", "true", NULL};

enum {
    STRATEGY,
    POPULATION_SIZE,
    OFFSPRING_PROPORTION,
    CX_PROB,
    MUT_PROB,
    CX_INDPB,
    MUT_INDPB,
    TOURNSIZE,
    BARRIER
};

static const struct option options[] = {
    [STRATEGY] = OPTION_WORD("strategy", strategies, MU_PLUS_LAMBDA,
                             "simple, or mu_plus_lambda, which keeps the best"),
    [POPULATION_SIZE] = OPTION_WHOLE("population_size", 2, 10000, NAN,
                                     "parents and offspring together; default: from the budget"),
    [OFFSPRING_PROPORTION] = OPTION_NUMBER("offspring_proportion", 0.01, 0.99, 0.5,
                                           "mu_plus_lambda: share of new points in a population"),
    [CX_PROB] = OPTION_NUMBER("cx_prob", 0, 1, 0.2, "probability that a child has two parents"),
    [MUT_PROB] = OPTION_NUMBER("mut_prob", 0, 1, 0.8, "probability that a child is mutated"),
    [CX_INDPB] =
        OPTION_NUMBER("cx_indpb", 0, 1, 0.5,
                      "crossover: probability that a parameter comes from the other parent"),
    [MUT_INDPB] =
        OPTION_NUMBER("mut_indpb", 0, 1, 0.5, "mutation: probability that a parameter changes"),
    [TOURNSIZE] = OPTION_WHOLE("tournsize", 1, 1000, 4,
                               "number of candidates that are compared to choose a parent"),
    [BARRIER] = OPTION_WORD("barrier", yes_or_no, 0, "each generation waits for the previous one"),
    {0},
};

/* The fitness of a result: a smaller class is better, and within a class a smaller value. */
struct fitness {
    enum { VALID, VIOLATING, FAILED } class;
    double value;
    uint32_t entry;
};

struct genetic {
    enum strategy strategy;
    struct breed_generations generations;
    size_t keep;             /* number of best results that breed */
    struct fitness *parents; /* best first */
    size_t count, capacity;
    size_t sorted;           /* number of the first parents that are the best so far, in order */
    uint32_t *entries;       /* entries of the parents */
    size_t entries_capacity; /* capacity of `entries` */
    size_t seen;             /* number of results that the parents were chosen from */
    size_t bound;            /* the parents lie before this entry */
    double *spread;          /* spread of the parents: see breed_spread() */
    double *genome;
};

/* ---- who breeds ---- */

static int compare(const void *left, const void *right)
{
    const struct fitness *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->entry < b->entry ? -1 : 1;
}

/* `target` is the entry's score, or several scores combined. */
static struct fitness fitness_of(const struct past *past, uint32_t entry, double target)
{
    if (past->states[entry] != PAST_GOOD)
        return (struct fitness){FAILED, 0, entry};
    if (past->violations[entry] > 0)
        return (struct fitness){VIOLATING, past->violations[entry], entry};
    return (struct fitness){VALID, target, entry};
}

/* Sorts the parents and keeps only the best. */
static void trim(struct genetic *g)
{
    qsort(g->parents, g->count, sizeof *g->parents, compare);
    g->count = g->sorted = g->count < g->keep ? g->count : g->keep;
}

/*
 * Trims now and then, so that a large number of results is never sorted at once; most are worse
 * than all that are kept.
 */
static void add_parent(struct genetic *g, struct fitness fitness)
{
    if (g->sorted >= g->keep && compare(&fitness, &g->parents[g->keep - 1]) > 0)
        return;
    if (g->count >= 4 * g->keep)
        trim(g);
    g->parents = memory_grow(g->parents, &g->capacity, g->count + 1, sizeof *g->parents);
    g->parents[g->count++] = fitness;
}

/*
 * True when result number `index` may breed. With a barrier, the last generation is a range of
 * entries, so that the order of the results makes no difference; without one, it is the last
 * results.
 */
static bool may_breed(const struct genetic *g, const struct past *past, size_t index)
{
    size_t entry = past->told[index];
    if (entry >= g->bound)
        return false;
    if (g->strategy == MU_PLUS_LAMBDA)
        return true;
    return g->generations.wait ? entry + g->generations.next >= g->bound
                               : index + g->generations.next >= past->told_count;
}

static double *targets_of(const struct past *past, struct random *random)
{
    if (past->objectives == 1)
        return NULL;
    double *targets = memory_new(past->told_count, sizeof *targets);
    past_targets(past, random, targets);
    return targets;
}

static void gather(struct genetic *g, const struct past *past, struct random *random, size_t from)
{
    double *targets = targets_of(past, random);
    for (size_t i = from; i < past->told_count; i++) {
        uint32_t entry = past->told[i];
        if (may_breed(g, past, i))
            add_parent(g, fitness_of(past, entry, targets ? targets[i] : past->scores[entry]));
    }
    free(targets);
    trim(g);
    while (g->count > 0 && g->parents[g->count - 1].class == FAILED)
        g->count--;
    g->sorted = g->count;
}

static void note_spread(struct genetic *g, const struct past *past)
{
    g->entries = memory_grow(g->entries, &g->entries_capacity, g->count, sizeof *g->entries);
    for (size_t i = 0; i < g->count; i++)
        g->entries[i] = g->parents[i].entry;
    breed_spread(past, g->entries, g->count, g->spread);
}

/*
 * Brings the parents up to date. The best of all results can be updated step by step; a window of
 * the last results, or new weights for several objectives, requires a fresh start.
 */
static void update(struct search *search, struct random *random)
{
    struct genetic *g = search->state;
    const struct past *past = &search->past;
    size_t bound = breed_bound(search, &g->generations);
    bool steps = g->strategy == MU_PLUS_LAMBDA && !g->generations.wait;
    bool several = past->objectives > 1;
    if (past->told_count == g->seen && (steps || bound == g->bound) && !several)
        return;
    size_t from = steps && !several ? g->seen : 0;
    if (from == 0)
        g->count = g->sorted = 0;
    g->bound = bound;
    gather(g, past, random, from);
    g->seen = past->told_count;
    note_spread(g, past);
}

/* ---- children ---- */

/* The best of a few random parents: the parents are sorted. */
static const double *choose(const struct search *search, struct random *random)
{
    const struct genetic *g = search->state;
    size_t best = g->count - 1;
    for (size_t left = (size_t)algorithm_option(search, TOURNSIZE); left > 0; left--) {
        size_t at = (size_t)random_below(random, g->count);
        best = at < best ? at : best;
    }
    return past_point(&search->past, g->parents[best].entry);
}

/*
 * Draws the operators that make a child: one of the two, or, in the simple strategy, each
 * independently. A copy would be a wasted trial: if neither is drawn, the child is mutated.
 */
static void draw_operators(const struct search *search, struct random *random, bool *crossed,
                           bool *mutated)
{
    const struct genetic *g = search->state;
    double cross = algorithm_option(search, CX_PROB), mutate = algorithm_option(search, MUT_PROB);
    double all = g->strategy == SIMPLE ? 1 : fmax(cross + mutate, 1);
    *crossed = random_unit(random) * all < cross;
    *mutated = !*crossed || (g->strategy == SIMPLE && random_unit(random) < mutate);
}

/* Fills the genome; `forced`: mutate it in any case. */
static void breed(const struct search *search, struct random *random, bool forced)
{
    struct genetic *g = search->state;
    bool crossed, mutated;
    draw_operators(search, random, &crossed, &mutated);
    const double *one = choose(search, random), *other = choose(search, random);
    if (crossed)
        breed_cross(search->space, random, one, other, algorithm_option(search, CX_INDPB),
                    g->genome);
    else
        breed_copy(search->space, random, one, g->genome);
    if (mutated || forced)
        breed_mutate(search->space, random, g->spread, algorithm_option(search, MUT_INDPB),
                     g->genome);
}

static enum search_answer ask_genetic(struct search *search, uint64_t k, double *point)
{
    struct genetic *g = search->state;
    struct random random;
    if (breed_must_wait(search, &g->generations))
        return SEARCH_WAIT;
    if (breed_is_early(search, &g->generations))
        return breed_first(search, k, g->generations.first, point);
    algorithm_random(search, k, &random);
    update(search, &random);
    for (int i = 0; i < TRIES && g->count > 0; i++) {
        breed(search, &random, i > TRIES / 2);
        if (breed_finish(search->space, &random, g->genome, point) &&
            !past_has(&search->past, point))
            return SEARCH_POINT;
    }
    return algorithm_draw_new(search, &random, point);
}

/* ---- life cycle ---- */

/*
 * Divides a population into parents and children. Without a barrier, nothing waits for the first
 * generation to be complete: breeding begins when there are enough results to fill the parents'
 * places, and a few more to choose from.
 */
static void plan(struct genetic *g, double size, double proportion, bool wait)
{
    bool simple = g->strategy == SIMPLE;
    double children = simple ? size : fmax(rint(proportion * size), 1);
    double parents = simple ? size : fmax(size - children, 1);
    double first = wait ? size : fmin(size, fmax(ceil(1.25 * parents), 2));
    g->keep = (size_t)parents;
    g->generations =
        (struct breed_generations){.first = (size_t)first, .next = (size_t)children, .wait = wait};
}

static void create_genetic(struct search *search)
{
    struct genetic *g = search->state = memory_new(1, sizeof *g);
    double size = algorithm_option(search, POPULATION_SIZE);
    if (isnan(size))
        size = (double)breed_population(search->settings, 2);
    g->strategy = (enum strategy)algorithm_option(search, STRATEGY);
    plan(g, size, algorithm_option(search, OFFSPRING_PROPORTION),
         algorithm_option(search, BARRIER) > 0);
    g->spread = memory_new(search->space->count, sizeof *g->spread);
    g->genome = memory_new(search->space->count, sizeof *g->genome);
}

static void destroy_genetic(struct search *search)
{
    struct genetic *g = search->state;
    free(g->parents);
    free(g->entries);
    free(g->spread);
    free(g->genome);
    free(g);
}

const struct algorithm genetic_algorithm = {
    .about = "a genetic algorithm: selection, crossover and mutation",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create_genetic,
    .free = destroy_genetic,
    .ask = ask_genetic,
};
