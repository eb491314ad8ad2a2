/* grid.c - every combination of levels, in order or shuffled; the last parameter varies fastest. */
#include "num/num.h"
#include "search/algorithm.h"
#include "search/lattice.h"

#define GRID_LIMIT 1000000000u

struct grid_state {
    struct lattice lattice;
    uint64_t next;  /* position of the walk over the indexes */
    uint64_t first; /* index of the default point; LATTICE_NONE if it is not on the grid */
    uint64_t count; /* number of points, including the default point: see lattice_count() */
};

static int check_levels(const struct search_settings *settings, const struct space *space,
                        struct err *e)
{
    for (size_t i = 0; i < space->count && settings->levels == 0; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (parameter->kind == PARAMETER_FLOAT && lattice_levels(parameter, 0) == LATTICE_ENDLESS)
            return err_set(e, ERR_USER,
                           "a grid needs `levels`, the number of points on a range such as '%s': "
                           "give 1 or more",
                           parameter->name);
    }
    return 0;
}

static const struct parameter *largest(const struct search_settings *settings,
                                       const struct space *space, uint64_t *levels)
{
    const struct parameter *most = NULL;
    *levels = 0;
    for (size_t i = 0; i < space->count; i++) {
        uint64_t count = lattice_levels(&space->parameters[i], settings->levels);
        if (count > *levels) {
            *levels = count;
            most = &space->parameters[i];
        }
    }
    return most;
}

static const char *way_to_shrink(const struct parameter *parameter)
{
    if (parameter->kind == PARAMETER_FLOAT && parameter->step == 0)
        return "lower `levels`";
    if (parameter->kind == PARAMETER_INT || parameter->kind == PARAMETER_FLOAT)
        return "give it a larger `step`";
    return "drop some of its values";
}

static int check_grid(const struct search_settings *settings, const struct space *space,
                      struct err *e)
{
    if (check_levels(settings, space, e))
        return e->code;
    struct lattice lattice;
    lattice_open(&lattice, space, settings->levels);
    uint64_t total = lattice.total, levels;
    lattice_close(&lattice);
    if (total <= GRID_LIMIT)
        return 0;
    const struct parameter *most = largest(settings, space, &levels);
    return err_set(e, ERR_USER,
                   "a grid over this space has %s%.3g points, more than the limit of 10^9: '%s' "
                   "alone has %.10g levels; %s, or use the algorithm random or sobol",
                   total == LATTICE_ENDLESS ? "more than " : "", (double)total, most->name,
                   (double)levels, way_to_shrink(most));
}

static void create_grid(struct search *search)
{
    struct grid_state *state = memory_new(1, sizeof *state);
    lattice_open(&state->lattice, search->space, search->settings->levels);
    state->first = search->first ? lattice_index(&state->lattice, search->first) : LATTICE_NONE;
    state->count = lattice_count(&state->lattice, UINT64_MAX);
    search->state = state;
}

static void destroy_grid(struct search *search)
{
    struct grid_state *state = search->state;
    lattice_close(&state->lattice);
    free(state);
}

/* Advances to the next index that has a point. */
static enum search_answer ask_grid(struct search *search, uint64_t k, double *point)
{
    (void)k;
    struct grid_state *state = search->state;
    const struct search_settings *settings = search->settings;
    uint64_t total = state->lattice.total;
    while (state->next < total) {
        uint64_t index = state->next++;
        if (settings->shuffle)
            index = num_permute(index, total, settings->seed);
        if (index != state->first && lattice_point(&state->lattice, index, point))
            return SEARCH_POINT;
    }
    return SEARCH_END;
}

static void replay_grid(struct search *search, const double *point)
{
    (void)point;
    struct grid_state *state = search->state;
    if (!state->lattice.gaps && state->first == LATTICE_NONE)
        state->next++; /* every index is a suggestion, and its point is not needed */
    else
        ask_grid(search, 0, search->units);
}

static double total_grid(const struct search *search)
{
    const struct grid_state *state = search->state;
    return (double)state->count - (state->first != LATTICE_NONE);
}

const struct algorithm grid_algorithm = {
    .about = "all combinations",
    .check = check_grid,
    .create = create_grid,
    .free = destroy_grid,
    .ask = ask_grid,
    .replay = replay_grid,
    .total = total_grid,
};
