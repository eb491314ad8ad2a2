/*
 * random.c - independent points; in a small space, no point twice.
 *
 * In a space of at most ALGORITHM_SMALL combinations, suggested points are marked, and if one comes
 * up again, another is drawn. Drawing first, instead of walking through the space in a random
 * order, keeps all values of a parameter equally likely: a choice that makes others active has more
 * points below it than its neighbours, and would come up more often. When nearly all points are
 * marked, drawing rarely finds an unmarked one, and a walk finds the rest.
 */
#include "num/num.h"
#include "search/algorithm.h"
#include "search/lattice.h"

#include <math.h>

enum { DRAWS = 50 };

struct random_state {
    struct lattice lattice;
    bool *given;     /* points given so far, by index of the lattice */
    uint64_t walked; /* number of steps of the walk so far */
    uint64_t count;  /* number of points: see lattice_count() */
};

/* Marks a point; false when it was given before. */
static bool mark(struct random_state *state, const double *point)
{
    uint64_t index = lattice_index(&state->lattice, point);
    if (index == LATTICE_NONE || state->given[index])
        return false;
    return state->given[index] = true;
}

static void create_random(struct search *search)
{
    struct random_state *state = memory_new(1, sizeof *state);
    lattice_open(&state->lattice, search->space, LATTICE_ENDLESS);
    if (state->lattice.total > ALGORITHM_SMALL) {
        lattice_close(&state->lattice);
        free(state);
        return;
    }
    state->given = memory_new(state->lattice.total, sizeof *state->given);
    state->count = lattice_count(&state->lattice, UINT64_MAX);
    search->state = state;
    if (search->first)
        mark(state, search->first);
}

static void destroy_random(struct search *search)
{
    struct random_state *state = search->state;
    if (!state)
        return;
    lattice_close(&state->lattice);
    free(state->given);
    free(state);
}

static bool draw_new(struct search *search, struct random *random, double *point)
{
    bool allowed = true, marked = false;
    for (int i = 0; i < DRAWS && allowed && !marked; i++) {
        allowed = algorithm_draw(search, random, point) == SEARCH_POINT;
        marked = allowed && mark(search->state, point);
    }
    return marked;
}

static bool walk(struct search *search, double *point)
{
    struct random_state *state = search->state;
    uint64_t total = state->lattice.total;
    while (state->walked < total) {
        uint64_t index = num_permute(state->walked++, total, search->settings->seed);
        if (!state->given[index] && lattice_point(&state->lattice, index, point)) {
            state->given[index] = true;
            return true;
        }
    }
    return false;
}

static enum search_answer ask_random(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    if (!search->state)
        return algorithm_draw(search, &random, point);
    return draw_new(search, &random, point) || walk(search, point) ? SEARCH_POINT : SEARCH_END;
}

/* Drawing again would be wrong: the point may have replaced one that was refused. */
static void replay_random(struct search *search, const double *point)
{
    if (search->state)
        mark(search->state, point);
}

static double total_random(const struct search *search)
{
    const struct random_state *state = search->state;
    return state ? (double)state->count - (search->first != NULL) : INFINITY;
}

const struct algorithm random_algorithm = {
    .about = "independent points",
    .redraws = true,
    .create = create_random,
    .free = destroy_random,
    .ask = ask_random,
    .replay = replay_random,
    .total = total_random,
};
