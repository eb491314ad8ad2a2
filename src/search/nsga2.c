/*
 * nsga2.c - a genetic algorithm for several objectives.
 *
 * K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A Fast and Elitist Multiobjective Genetic
 * Algorithm: NSGA-II", 2002. The population consists of the best results by front, and of the least
 * crowded ones of the last front that fits. The better of two random members becomes a parent;
 * children are made by simulated binary crossover and mutation. A result that violates constraints
 * ranks behind all that do not, by how much it violates them; a failed one never breeds.
 *
 * The paper runs 250 generations of 100 members. For the few hundred trials of a study the
 * population is smaller, and the steps of a mutation follow its spread instead of a fixed
 * polynomial; `mutation: polynomial` selects that of the paper.
 *
 * A suggestion is bred from the known results (with `barrier`, from those of the previous
 * generations). Results are taken in portions of the size of the population: each full portion and
 * the population before it make the next population, which never changes again. So the sorting
 * stays small however many results there are, and the population does not depend on when
 * suggestions are asked for.
 */
#include "search/breed.h"
#include "search/fronts.h"

#include <math.h>

enum { TRIES = 20 }; /* attempts to breed a new child */

enum mutation { ADAPTIVE, POLYNOMIAL };

static const char *const mutations[] = {"adaptive", "polynomial", NULL};
static const char *const yes_or_no[] = {"false", "true", NULL};

enum { POPULATION_SIZE, CX_PROB, CX_ETA, MUTATION, MUT_INDPB, MUT_ETA, BARRIER };

static const struct option options[] = {
    [POPULATION_SIZE] = OPTION_WHOLE("population_size", 2, 10000, NAN,
                                     "number of parents; default: from the budget"),
    [CX_PROB] = OPTION_NUMBER("cx_prob", 0, 1, 0.9, "probability that a child has two parents"),
    [CX_ETA] = OPTION_NUMBER("cx_eta", 0, 1000, 15,
                             "crossover: the larger, the closer a child is to a parent"),
    [MUTATION] = OPTION_WORD("mutation", mutations, ADAPTIVE,
                             "adaptive, by the spread of the population, or polynomial"),
    [MUT_INDPB] =
        OPTION_NUMBER("mut_indpb", 0, 1, NAN,
                      "probability that a parameter mutates; default: two parameters per child"),
    [MUT_ETA] = OPTION_NUMBER("mut_eta", 0, 1000, 20,
                              "polynomial mutation: the larger, the smaller its steps"),
    [BARRIER] = OPTION_WORD("barrier", yes_or_no, 0, "each generation waits for the previous one"),
    {0},
};

struct member {
    uint32_t entry;
    uint32_t rank;
    double crowding; /* distance to its neighbours in the front */
};

/* Members of the first `length` results. */
struct population {
    struct member *members;
    size_t count, capacity, length;
};

struct nsga2 {
    struct breed_generations generations;
    size_t size;
    enum mutation mutation;
    double mutation_share;
    struct population settled; /* from full portions only: it never changes again */
    struct population current;
    double *spread; /* spread of the current population: see breed_spread() */
    double *genome;
};

/* ---- survival ---- */

static void add_member(struct population *population, uint32_t entry)
{
    population->members = memory_grow(population->members, &population->capacity,
                                      population->count + 1, sizeof *population->members);
    population->members[population->count++] = (struct member){.entry = entry};
}

static int compare(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->crowding != b->crowding)
        return a->crowding > b->crowding ? -1 : 1;
    return a->entry < b->entry ? -1 : 1;
}

static int compare_violations(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->crowding != b->crowding)
        return a->crowding < b->crowding ? -1 : 1;
    return a->entry < b->entry ? -1 : 1;
}

/* Moves members that violate constraints to the end, by violation; returns where they start. */
static size_t part_violating(const struct past *past, struct population *population)
{
    size_t valid = 0;
    for (size_t i = 0; i < population->count; i++) {
        struct member member = population->members[i];
        member.crowding = past->violations[member.entry]; /* until the crowding is known */
        population->members[i] = member;
        if (member.crowding <= 0) {
            population->members[i] = population->members[valid];
            population->members[valid++] = member;
        }
    }
    qsort(population->members + valid, population->count - valid, sizeof *population->members,
          compare_violations);
    return valid;
}

/* Fills in the crowding of the members from `begin` to `end`, which form one front. */
static void note_crowding(const struct past *past, struct population *population, size_t begin,
                          size_t end)
{
    size_t count = end - begin;
    uint32_t *entries = memory_new(count, sizeof *entries);
    double *distances = memory_new(count, sizeof *distances);
    for (size_t i = 0; i < count; i++)
        entries[i] = population->members[begin + i].entry;
    fronts_crowding(past->scores, past->objectives, entries, count, distances);
    for (size_t i = 0; i < count; i++)
        population->members[begin + i].crowding = distances[i];
    free(entries);
    free(distances);
}

/* Fills in the ranks of the first `valid` members; returns the number of fronts. */
static size_t note_ranks(const struct past *past, struct population *population, size_t valid)
{
    size_t objectives = past->objectives;
    double *scores = memory_new(valid * objectives, sizeof *scores);
    uint32_t *ranks = memory_new(valid, sizeof *ranks);
    for (size_t i = 0; i < valid; i++)
        memcpy(scores + i * objectives, past->scores + population->members[i].entry * objectives,
               objectives * sizeof *scores);
    size_t fronts = fronts_rank(scores, objectives, valid, ranks);
    for (size_t i = 0; i < valid; i++)
        population->members[i].rank = ranks[i];
    free(scores);
    free(ranks);
    return fronts;
}

/* Sorts the members, best first, and keeps the best `size` of them. */
static void select_best(const struct past *past, struct population *population, size_t size)
{
    size_t valid = part_violating(past, population);
    size_t fronts = note_ranks(past, population, valid);
    struct member *members = population->members;
    for (size_t i = valid; i < population->count; i++)
        members[i].rank = (uint32_t)(fronts + i - valid);
    qsort(members, valid, sizeof *members, compare);
    for (size_t begin = 0, end = 0; begin < valid && begin < size; begin = end) {
        while (end < valid && members[end].rank == members[begin].rank)
            end++;
        note_crowding(past, population, begin, end);
        qsort(members + begin, end - begin, sizeof *members, compare);
    }
    population->count = population->count < size ? population->count : size;
}

/* ---- the current population ---- */

/*
 * Results count in the order in which they came; with a barrier, they count in the order of the
 * trials, so that it makes no difference which came first. All results before the bound are then
 * known or, in a reproducible search, become known in this very order.
 */
static uint32_t entry_of(const struct nsga2 *n, const struct past *past, size_t index)
{
    return n->generations.wait ? (uint32_t)index : past->told[index];
}

static size_t known_results(const struct search *search)
{
    const struct nsga2 *n = search->state;
    size_t bound = breed_bound(search, &n->generations);
    return n->generations.wait && bound < search->past.told_count ? bound : search->past.told_count;
}

/* Adds the results up to `length` to a population. */
static void extend(const struct nsga2 *n, const struct past *past, size_t length,
                   struct population *population)
{
    for (size_t i = population->length; i < length; i++) {
        uint32_t entry = entry_of(n, past, i);
        if (past->states[entry] == PAST_GOOD)
            add_member(population, entry);
    }
    population->length = length;
    select_best(past, population, n->size);
}

static void copy_population(const struct population *from, struct population *to)
{
    to->members = memory_grow(to->members, &to->capacity, from->count, sizeof *to->members);
    if (from->count > 0)
        memcpy(to->members, from->members, from->count * sizeof *to->members);
    to->count = from->count;
    to->length = from->length;
}

static void note_spread(struct nsga2 *n, const struct past *past)
{
    uint32_t *entries = memory_new(n->current.count, sizeof *entries);
    for (size_t i = 0; i < n->current.count; i++)
        entries[i] = n->current.members[i].entry;
    breed_spread(past, entries, n->current.count, n->spread);
    free(entries);
}

static void update(struct search *search)
{
    struct nsga2 *n = search->state;
    size_t length = known_results(search);
    if (length == n->current.length)
        return;
    while (n->settled.length + n->size <= length)
        extend(n, &search->past, n->settled.length + n->size, &n->settled);
    copy_population(&n->settled, &n->current);
    extend(n, &search->past, length, &n->current);
    note_spread(n, &search->past);
}

/* ---- children ---- */

/* The better of two random members: the members are sorted. */
static const double *choose(const struct search *search, struct random *random)
{
    const struct nsga2 *n = search->state;
    size_t one = (size_t)random_below(random, n->current.count);
    size_t other = (size_t)random_below(random, n->current.count);
    return past_point(&search->past, n->current.members[one < other ? one : other].entry);
}

static void breed(const struct search *search, struct random *random)
{
    struct nsga2 *n = search->state;
    const double *one = choose(search, random), *other = choose(search, random);
    if (random_unit(random) < algorithm_option(search, CX_PROB))
        breed_cross_binary(search->space, random, one, other, algorithm_option(search, CX_ETA),
                           n->genome);
    else
        breed_copy(search->space, random, one, n->genome);
    if (n->mutation == ADAPTIVE)
        breed_mutate(search->space, random, n->spread, n->mutation_share, n->genome);
    else
        breed_mutate_polynomial(search->space, random, algorithm_option(search, MUT_ETA),
                                n->mutation_share, n->genome);
}

static enum search_answer ask_nsga2(struct search *search, uint64_t k, double *point)
{
    struct nsga2 *n = search->state;
    struct random random;
    if (breed_must_wait(search, &n->generations))
        return SEARCH_WAIT;
    if (breed_is_early(search, &n->generations))
        return breed_first(search, k, n->size, point);
    algorithm_random(search, k, &random);
    update(search);
    for (int i = 0; i < TRIES && n->current.count > 0; i++) {
        breed(search, &random);
        if (breed_finish(search->space, &random, n->genome, point) &&
            !past_has(&search->past, point))
            return SEARCH_POINT;
    }
    return algorithm_draw_new(search, &random, point);
}

/* ---- life cycle ---- */

static double default_share(const struct space *space)
{
    return fmin(2 / fmax((double)algorithm_varying(space), 1), 1);
}

static void create_nsga2(struct search *search)
{
    struct nsga2 *n = search->state = memory_new(1, sizeof *n);
    double size = algorithm_option(search, POPULATION_SIZE);
    n->size = isnan(size) ? breed_population(search->settings, 1.25) : (size_t)size;
    n->generations = (struct breed_generations){
        .first = n->size, .next = n->size, .wait = algorithm_option(search, BARRIER) > 0};
    n->mutation = (enum mutation)algorithm_option(search, MUTATION);
    n->mutation_share = algorithm_option(search, MUT_INDPB);
    if (isnan(n->mutation_share))
        n->mutation_share = default_share(search->space);
    n->spread = memory_new(search->space->count, sizeof *n->spread);
    n->genome = memory_new(search->space->count, sizeof *n->genome);
}

static void destroy_nsga2(struct search *search)
{
    struct nsga2 *n = search->state;
    free(n->settled.members);
    free(n->current.members);
    free(n->spread);
    free(n->genome);
    free(n);
}

const struct algorithm nsga2_algorithm = {
    .about = "a genetic algorithm for several objectives",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create_nsga2,
    .free = destroy_nsga2,
    .ask = ask_nsga2,
};
