/*
 * gp.c - Bayesian optimisation with a Gaussian process: the next point to try is the one with the
 * largest expected improvement over the best (D. R. Jones, M. Schonlau and W. J. Welch, "Efficient
 * global optimization of expensive black-box functions", 1998). Running trials count as if they had
 * their expected results, so that other points keep away from them.
 *
 * With many numbers or many results, only a box around the best point is searched. The box grows
 * when results get better and shrinks when they do not (D. Eriksson et al., "Scalable global
 * optimization via local Bayesian optimization", 2019).
 */
#include "num/num.h"
#include "search/algorithm.h"
#include "search/gp_acquire.h"
#include "search/gp_model.h"

#include <math.h>

enum { INITIAL, TRUST };
enum trust { TRUST_AUTO, TRUST_ON, TRUST_OFF };
enum {
    MANY_NUMBERS = 20,   /* with more numbers than this, a box is used */
    MANY_RESULTS = 1000, /* with more results than this, too: the model is then a local one */
    SUCCESSES = 3,       /* number of successes in a row after which the box grows */
    STALL_RESULTS = 10,  /* number of results without a real gain that make a stall */
    STALL_TURN = 3       /* in a stall, one suggestion in this many must promise LEAST_GAIN */
};
static const double STALL_GAIN = 0.02, LEAST_GAIN = 0.1; /* in standard deviations of the targets */
static const double FIRST_SIDE = 0.8, LARGEST_SIDE = 1.6, SMALLEST_SIDE = 0x1p-7;

static const char *const trust_words[] = {"auto", "on", "off", NULL};

static const struct option options[] = {
    [INITIAL] = OPTION_WHOLE("initial", 1, 10000, NAN,
                             "points of an even design before the model is used; default: 5 to 8, "
                             "by the number of parameters"),
    [TRUST] = OPTION_WORD(
        "trust", trust_words, TRUST_AUTO,
        "search only in a box around the best point; auto: beyond 20 numbers or 1000 results"),
    {0},
};

/*
 * Two models take turns: one of the targets as they are, one with large targets drawn in. Either
 * may be sure of itself but wrong, and so miss the best category for good; both rarely are wrong.
 */
struct state {
    struct gp_model *models[2];
};

static void create_gp(struct search *search)
{
    struct state *state = memory_new(1, sizeof *state);
    for (size_t i = 0; i < 2; i++)
        state->models[i] = gp_model_create(search, i == 0);
    search->state = state;
}

static void destroy_gp(struct search *search)
{
    struct state *state = search->state;
    for (size_t i = 0; i < 2; i++)
        gp_model_free(state->models[i]);
    free(state);
}

/* ---- the first points ---- */

static double initial_points(const struct search *search)
{
    double wanted = algorithm_option(search, INITIAL);
    if (!isnan(wanted))
        return wanted;
    return fmin(5 + floor((double)algorithm_varying(search->space) / 8), 8);
}

/* Points of earlier studies and the user's own points replace points of the design. */
static bool is_initial(const struct search *search)
{
    return (double)search->past.count < initial_points(search);
}

/* ---- the box ---- */

static bool wants_box(const struct search *search)
{
    size_t numbers = 0;
    for (size_t i = 0; i < search->space->count; i++)
        numbers += algorithm_varies(&search->space->parameters[i]) &&
                           search->space->parameters[i].kind != PARAMETER_CHOICE
                       ? 1
                       : 0;
    switch ((enum trust)algorithm_option(search, TRUST)) {
    case TRUST_ON: return true;
    case TRUST_OFF: return false;
    default: return numbers > MANY_NUMBERS || search->past.told_count > MANY_RESULTS;
    }
}

/* The side of the box after all results so far, in the order in which they became known. */
static double side_of(const struct search *search)
{
    const struct past *past = &search->past;
    double *targets = memory_new(past->told_count, sizeof *targets);
    double side = FIRST_SIDE, best = INFINITY;
    size_t successes = 0, failures = 0, patience = algorithm_varying(search->space);
    struct random random;
    random_seed(&random, search->settings->seed, UINT64_MAX);
    past_targets(past, &random, targets);
    for (size_t i = 0; i < past->told_count; i++) {
        bool success = targets[i] < best - 1e-3 * fabs(best) || isinf(best);
        successes = success ? successes + 1 : 0;
        failures = success ? 0 : failures + 1;
        best = fmin(best, targets[i]);
        if (successes < SUCCESSES && failures < (patience > 4 ? patience : 4))
            continue;
        side = successes ? fmin(2 * side, LARGEST_SIDE) : side / 2;
        side = side < SMALLEST_SIDE ? FIRST_SIDE : side;
        successes = failures = 0;
    }
    free(targets);
    return side;
}

/* Places the box around the best point; it is longer where a number matters less to the model. */
static void place_box(const struct search *search, const struct gp_model *model,
                      struct gp_region *region)
{
    double side = side_of(search);
    region->centre = past_point(&search->past, gp_model_best(model));
    for (size_t i = 0; i < search->space->count; i++) {
        double half = side / 2 * fmin(fmax(gp_model_length(model, i), 0.1), 10);
        double centre = region->centre[i];
        double unit = isnan(centre) ? 0.5 : space_unit(&search->space->parameters[i], centre);
        bool boxed = !isnan(centre) && search->space->parameters[i].kind != PARAMETER_CHOICE;
        region->low[i] = boxed ? fmax(unit - half, 0) : 0;
        region->high[i] = boxed ? fmin(unit + half, 1 - 0x1p-53) : 1 - 0x1p-53;
    }
}

/* ---- suggestions ---- */

/*
 * True when the last results hardly improved the best. Then the expected improvement is largest
 * right beside the best, by ever smaller amounts, while another category may hide a far better
 * point.
 */
static bool has_stalled(const struct search *search)
{
    const struct past *past = &search->past;
    size_t count = past->told_count;
    if (count < 2 * STALL_RESULTS)
        return false;
    double *targets = memory_new(2 * count, sizeof *targets), *shaped = targets + count;
    double before = INFINITY, best = INFINITY;
    struct random random;
    random_seed(&random, search->settings->seed, UINT64_MAX);
    past_targets(past, &random, targets);
    gp_model_shape(targets, count, false, shaped);
    for (size_t i = 0; i < count; i++) {
        best = fmin(best, shaped[i]);
        before = i < count - STALL_RESULTS ? best : before;
    }
    free(targets);
    return before - best < STALL_GAIN;
}

static enum search_answer ask_gp(struct search *search, uint64_t k, double *point)
{
    struct state *state = search->state;
    struct gp_model *model = state->models[k % 2];
    struct random random;
    algorithm_random(search, k, &random);
    double least = k % STALL_TURN == 0 && has_stalled(search) ? LEAST_GAIN : 0;
    if (is_initial(search) || !gp_model_sync(model, search, least, &random))
        return algorithm_even(search, k, &random, point);
    size_t width = search->space->count;
    double *sides = memory_new(2 * width, sizeof *sides);
    struct gp_region region = {.low = sides, .high = sides + width};
    if (wants_box(search))
        place_box(search, model, &region);
    enum search_answer answer = gp_acquire(search, model, &region, &random, point);
    free(sides);
    return answer;
}

double gp_quality(struct search *search)
{
    struct state *state = search->state;
    struct random random;
    random_seed(&random, search->settings->seed, UINT64_MAX);
    return gp_model_sync(state->models[0], search, 0, &random) ? gp_model_quality(state->models[0])
                                                               : 0;
}

const struct algorithm gp_algorithm = {
    .about = "a Gaussian process learns the surface: best with few results",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create_gp,
    .free = destroy_gp,
    .ask = ask_gp,
};
