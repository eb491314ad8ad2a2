/* search.c - the table of algorithms, the default point, and what all algorithms share. */
#include "search/search.h"

#include "num/num.h"
#include "search/algorithm.h"
#include "search/lattice.h"

#include <math.h>

/*
 * The number of draws after which a space counts as empty. Constraints, such as a sum that must be
 * 100, may well leave only a small part of it.
 */
enum { REDRAWS = 1000, REDRAWS_CONSTRAINED = 100000 };

/* A result that waits for its turn. */
struct held {
    bool known;
    struct search_result result;
};

#define NAME_OF(name)    #name,
#define ADDRESS_OF(name) &name##_algorithm,
static const char *const names[] = {ALGORITHMS(NAME_OF) NULL};
static const struct algorithm *const algorithms[] = {ALGORITHMS(ADDRESS_OF)};

const char *const *search_names(void)
{
    return names;
}

/* The number of points if the space is so small that none is suggested twice, or else INFINITY. */
static double count_points(const struct space *space)
{
    struct lattice lattice;
    lattice_open(&lattice, space, LATTICE_ENDLESS);
    double count = INFINITY;
    if (lattice.total <= ALGORITHM_SMALL)
        count = (double)lattice_count(&lattice, UINT64_MAX);
    lattice_close(&lattice);
    return count;
}

static const struct algorithm *find(const char *name)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return algorithms[i];
    if (strcmp(name, "list") == 0)
        return &list_algorithm;
    return strcmp(name, "outside") == 0 ? &outside_algorithm : NULL;
}

const char *search_about(const char *algorithm)
{
    return find(algorithm)->about;
}

const struct option *search_options(const char *algorithm)
{
    static const struct option none[] = {{0}};
    const struct algorithm *found = find(algorithm);
    return found && found->options ? found->options : none;
}

int search_check(const struct search_settings *settings, const struct space *space, struct err *e)
{
    const struct algorithm *algorithm = find(settings->algorithm);
    if (!algorithm) {
        const char *nearest = str_nearest(settings->algorithm, search_names());
        return err_set(e, ERR_USER, "unknown algorithm '%s': %s %s?", settings->algorithm,
                       nearest ? "did you mean" : "how about", nearest ? nearest : "random");
    }
    return algorithm->check ? algorithm->check(settings, space, e) : 0;
}

struct search *search_create(const struct search_settings *settings, const struct space *space)
{
    const struct algorithm *algorithm = find(settings->algorithm);
    if (!algorithm)
        BUG("no algorithm '%s'", settings->algorithm);
    struct search *search = memory_new(1, sizeof *search);
    *search = (struct search){
        .settings = settings,
        .space = space,
        .algorithm = algorithm,
        .units = memory_new(space->count, sizeof(double)),
        .origin = -1,
    };
    past_init(&search->past, space, settings->objectives ? settings->objectives : 1);
    double *first = memory_new(space->count, sizeof *first);
    if (!algorithm->only_listed && space_default(space, first))
        search->first = first;
    else
        free(first);
    if (algorithm->create)
        algorithm->create(search);
    return search;
}

void search_free(struct search *search)
{
    if (!search)
        return;
    if (search->algorithm->free)
        search->algorithm->free(search);
    past_free(&search->past);
    free(search->held);
    free(search->first);
    free(search->units);
    free(search);
}

bool search_learns(const char *algorithm)
{
    return find(algorithm)->learns;
}

const char *search_choice(const struct search *search)
{
    const struct algorithm *algorithm = search->algorithm;
    return algorithm->choice ? algorithm->choice(search) : search->settings->algorithm;
}

bool search_can_hurry(const char *algorithm)
{
    return find(algorithm)->hurries;
}

void search_hurry(struct search *search, bool quick)
{
    search->hurried = quick;
}

/* ---- results ---- */

void search_learn(struct search *search, const double *point, const struct search_result *result)
{
    struct past *past = &search->past;
    if (!search->algorithm->learns)
        return;
    if (search->asked > 0)
        BUG("results of earlier studies come before the first suggestion");
    past_tell(past, past_add(past, point), result, search->settings->maximize);
    past->earlier++;
}

static void pass_on(struct search *search, uint64_t k, const struct search_result *result)
{
    struct past *past = &search->past;
    if (search->algorithm->learns)
        past_tell(past, past->earlier + k, result, search->settings->maximize);
}

/* The next suggestion needs the results of all suggestions before this one, and no others. */
static uint64_t needed(const struct search *search)
{
    const struct search_settings *settings = search->settings;
    uint64_t lag = settings->lag ? settings->lag : SEARCH_LAG;
    if (settings->batch > 0)
        return search->asked - search->asked % settings->batch;
    if (!settings->reproducible || !search->algorithm->learns || search->asked < lag)
        return 0;
    return search->asked - lag;
}

/*
 * Hands on the held results that the next suggestion may use, in the order of the trials; false
 * when one of them is still missing.
 */
static bool deliver(struct search *search)
{
    for (uint64_t until = needed(search); search->delivered < until; search->delivered++) {
        uint64_t k = search->delivered;
        if (k >= search->held_capacity || !search->held[k].known)
            return false;
        pass_on(search, k, &search->held[k].result);
    }
    return true;
}

static void hold(struct search *search, uint64_t k, const struct search_result *result)
{
    size_t before = search->held_capacity;
    search->held =
        memory_grow(search->held, &search->held_capacity, (size_t)k + 1, sizeof *search->held);
    memset(search->held + before, 0, (search->held_capacity - before) * sizeof *search->held);
    search->held[k] = (struct held){true, *result};
}

void search_tell(struct search *search, uint64_t k, const struct search_result *result)
{
    if (!search->algorithm->learns && search->settings->batch == 0)
        return;
    if (algorithm_holds_back(search->settings) && k >= search->delivered)
        hold(search, k, result);
    else
        pass_on(search, k, result); /* also for a finished round, after a retraction */
}

void search_retract(struct search *search, uint64_t k)
{
    struct past *past = &search->past;
    if (search->settings->reproducible)
        BUG("a reproducible search takes no result back");
    bool is_held = search->settings->batch > 0 && k >= search->delivered;
    if (is_held)
        search->held[k].known = false; /* its round waits for it again */
    if (is_held || !search->algorithm->learns)
        return;
    past_retract(past, past->earlier + k);
    if (search->algorithm->free)
        search->algorithm->free(search);
    search->state = NULL;
    if (search->algorithm->create)
        search->algorithm->create(search);
}

/* ---- suggestions ---- */

/* Draws points until one is allowed; false when none of a very large number is. */
static bool draw(const struct space *space, struct random *random, double *units, double *point)
{
    bool allowed = false;
    int most = space->constraint_count > 0 ? REDRAWS_CONSTRAINED : REDRAWS;
    for (int i = 0; i < most && !allowed; i++) {
        for (size_t at = 0; at < space->count; at++)
            units[at] = random_unit(random);
        space_point(space, units, point);
        allowed = space_allowed(space, point);
    }
    return allowed;
}

/* Gives the next number to a point. */
static void take(struct search *search, const double *point, bool is_own)
{
    if (search->algorithm->learns)
        past_add(&search->past, point);
    search->asked++;
    search->own += is_own;
    search->last_is_own = is_own;
}

enum search_answer search_ask(struct search *search, double *point)
{
    enum search_answer answer = SEARCH_POINT;
    bool is_first = search->first && !search->first_given;
    search->origin = -1;
    if (!deliver(search))
        return SEARCH_WAIT;
    if (search->last_is_own)
        search->refused = 0; /* the last suggestion was not refused */
    if (is_first)
        memcpy(point, search->first, search->space->count * sizeof *point);
    else
        answer = search->algorithm->ask(search, search->own, point);
    if (answer == SEARCH_POINT)
        take(search, point, !is_first);
    search->first_given = true;
    return answer;
}

bool search_refuse(struct search *search)
{
    if (!search->algorithm->redraws || !search->last_is_own)
        return false;
    if (search->algorithm->learns)
        past_drop(&search->past);
    search->asked--;
    search->own--;
    search->refused++;
    search->last_is_own = false;
    return true;
}

uint64_t search_asked(const struct search *search)
{
    return search->asked;
}

uint64_t search_known(const struct search *search)
{
    return search->past.told_count;
}

int64_t search_origin(const struct search *search)
{
    return search->origin;
}

bool search_needs(struct search *search, uint64_t k)
{
    return search->algorithm->needs && search->algorithm->needs(search, k);
}

void search_add(struct search *search, const double *point)
{
    search->origin = -1;
    take(search, point, false);
}

void search_replay(struct search *search, const double *point)
{
    bool is_own = !search->first || search->first_given;
    if (is_own && search->algorithm->replay)
        search->algorithm->replay(search, point);
    take(search, point, is_own);
    search->first_given = true;
}

bool search_replace(struct search *search, double *point)
{
    const struct space *space = search->space;
    struct random random;
    bool outside = search->algorithm == &outside_algorithm;
    for (size_t i = 0; i < space->count; i++)
        point[i] = NAN;
    if (!outside && search_ask(search, point) == SEARCH_POINT)
        return true;
    random_seed(&random, search->settings->seed, search->asked);
    bool found = !outside && draw(space, &random, search->units, point);
    search_replay(search, point);
    return found;
}

double search_total(const struct search *search)
{
    double own = search->algorithm->total ? search->algorithm->total(search) : INFINITY;
    if (search->algorithm->learns && !search->algorithm->total)
        own = count_points(search->space) - (search->first != NULL);
    return own + (search->first != NULL);
}

/* ---- what algorithms share ---- */

void algorithm_random(const struct search *search, uint64_t k, struct random *random)
{
    random_seed(random, search->settings->seed + search->refused * UINT64_C(0x9e3779b97f4a7c15), k);
}

double algorithm_option(const struct search *search, size_t index)
{
    return option_value(&search->algorithm->options[index],
                        algorithm_given(search->settings, index));
}

enum search_answer algorithm_draw(struct search *search, struct random *random, double *point)
{
    return draw(search->space, random, search->units, point) ? SEARCH_POINT : SEARCH_END;
}

enum search_answer algorithm_place(struct search *search, struct random *random, double *point)
{
    space_point(search->space, search->units, point);
    if (space_allowed(search->space, point))
        return SEARCH_POINT;
    return algorithm_draw(search, random, point);
}

/* The first point without an entry, in a random order of all points. */
static bool walk_to_new(const struct search *search, struct random *random, double *point)
{
    struct lattice lattice;
    bool found = false;
    uint64_t order = random_bits(random);
    lattice_open(&lattice, search->space, LATTICE_ENDLESS);
    if (lattice.total <= ALGORITHM_SMALL)
        for (uint64_t i = 0; i < lattice.total && !found; i++)
            found = lattice_point(&lattice, num_permute(i, lattice.total, order), point) &&
                    !past_has(&search->past, point);
    lattice_close(&lattice);
    return found;
}

enum search_answer algorithm_draw_new(struct search *search, struct random *random, double *point)
{
    enum { DRAWS = 50 };
    for (int i = 0; i < DRAWS; i++) {
        if (algorithm_draw(search, random, point) == SEARCH_END)
            return SEARCH_END;
        if (!past_has(&search->past, point))
            return SEARCH_POINT;
    }
    if (walk_to_new(search, random, point))
        return SEARCH_POINT;
    /* In a larger space a point may come up twice. */
    return isinf(count_points(search->space)) ? algorithm_draw(search, random, point) : SEARCH_END;
}

size_t algorithm_varying(const struct space *space)
{
    size_t count = 0;
    for (size_t i = 0; i < space->count; i++)
        count += algorithm_varies(&space->parameters[i]) ? 1 : 0;
    return count;
}

enum search_answer algorithm_even(struct search *search, uint64_t k, struct random *random,
                                  double *point)
{
    const struct space *space = search->space;
    double even[SOBOL_DIMENSIONS];
    size_t dimensions = algorithm_varying(space), next = 0;
    if (dimensions == 0 || dimensions > SOBOL_DIMENSIONS)
        return algorithm_draw_new(search, random, point);
    num_sobol(k, search->settings->seed, dimensions, even);
    for (size_t i = 0; i < space->count; i++)
        search->units[i] = algorithm_varies(&space->parameters[i]) ? even[next++] : 0;
    enum search_answer answer = algorithm_place(search, random, point);
    if (answer == SEARCH_POINT && past_has(&search->past, point))
        return algorithm_draw_new(search, random, point);
    return answer;
}

/* ---- an empty space ---- */

static bool draws_one(const struct space *space)
{
    struct random random;
    double *units = memory_new(space->count, sizeof *units);
    double *point = memory_new(space->count, sizeof *point);
    random_seed(&random, 1, 0);
    bool allowed = draw(space, &random, units, point);
    free(units);
    free(point);
    return allowed;
}

bool search_has_point(const struct space *space)
{
    bool constrained = space->constraint_count > 0;
    if (space->forbidden_count == 0 && !constrained)
        return true;
    /*
     * A forbidden combination names no values of a range without steps, so one point of the range
     * is enough. A constraint may name any value.
     */
    struct lattice lattice;
    lattice_open(&lattice, space, constrained ? LATTICE_ENDLESS : 1);
    bool small = lattice_is_small(&lattice);
    bool has_point = small && lattice_count(&lattice, 1) > 0;
    lattice_close(&lattice);
    return small ? has_point : draws_one(space);
}
