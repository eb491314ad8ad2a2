/*
 * auto.c - the search for those who do not want to choose one.
 *
 * It has parts, each an algorithm of this room, and asks one of them for each suggestion. All parts
 * see the same past, whichever of them a suggestion came from, so they learn from each other. The
 * past decides which part is asked:
 *
 *   - The Gaussian process is best with few results, but costs most. It leads for the first
 *     LEAD_RESULTS results; with many trials at a time, it makes only some of the suggestions.
 *   - If it explains the results badly, each predicted from the others, every second suggestion
 *     comes from another algorithm: a Gaussian process does not suit noise, cliffs and conditions.
 *   - After that the forest leads, and when even the forest would take long, evolution.
 *
 * A search that is to hurry, because trials are faster than the models, asks evolution only, and
 * draws three points of four at random.
 */
#include "search/algorithm.h"
#include "search/gp_model.h"

enum part { GP, FOREST, TPE, EVOLUTION, PARTS };

enum {
    LEAD_RESULTS = 500,     /* number of results for which the Gaussian process leads */
    FOREST_RESULTS = 10000, /* number of further results for which the forest leads */
    SIDE_BY_SIDE = 8,       /* with fewer trials at a time, all come from the Gaussian process */
    TOO_MANY = 32,          /* with at least this many trials at a time, none does */
    FEW_RESULTS = 10        /* too few results to judge the Gaussian process */
};
static const double ENOUGH = 0.5; /* share of the variance that the process should explain */

struct state {
    struct search_settings settings; /* settings of the study, without options */
    struct search parts[PARTS];
    char choice[160];
};

/* ---- parts ---- */

static const struct algorithm *algorithm_of(enum part part, const struct search_settings *settings)
{
    switch (part) {
    case GP: return &gp_algorithm;
    case FOREST: return &forest_algorithm;
    case TPE: return &tpe_algorithm;
    default: return settings->objectives > 1 ? &nsga2_algorithm : &genetic_algorithm;
    }
}

static void describe(struct state *state)
{
    uint64_t trials = state->settings.trials;
    const char *others = state->settings.objectives > 1 ? "tpe, nsga2" : "tpe, genetic";
    if (state->settings.workers > TOO_MANY)
        snprintf(state->choice, sizeof state->choice,
                 "forest: gp would keep this many workers waiting");
    else if (trials == 0 || trials > LEAD_RESULTS)
        snprintf(state->choice, sizeof state->choice,
                 "gp for %d results, then forest; %s where gp explains little", LEAD_RESULTS,
                 others);
    else
        snprintf(state->choice, sizeof state->choice,
                 "gp, as there are few trials; %s and forest where gp explains little", others);
}

static void create_auto(struct search *search)
{
    struct state *state = memory_new(1, sizeof *state);
    state->settings = *search->settings;
    state->settings.has_options = false;
    for (enum part i = 0; i < PARTS; i++) {
        struct search *part = &state->parts[i];
        *part = (struct search){.settings = &state->settings,
                                .space = search->space,
                                .algorithm = algorithm_of(i, search->settings),
                                .past = search->past,
                                .units = search->units};
        if (part->algorithm->create)
            part->algorithm->create(part);
    }
    search->state = state;
    describe(state);
}

static void destroy_auto(struct search *search)
{
    struct state *state = search->state;
    for (enum part i = 0; i < PARTS; i++)
        if (state->parts[i].algorithm->free)
            state->parts[i].algorithm->free(&state->parts[i]);
    free(state);
}

/* Gives a part the past of the search; the part only reads it. */
static void see_past(const struct search *search, struct search *part)
{
    part->past = search->past;
    part->asked = search->asked;
    part->own = search->own;
    part->refused = search->refused;
}

static enum search_answer ask_part(struct search *search, enum part which, uint64_t k,
                                   double *point)
{
    struct state *state = search->state;
    struct search *part = &state->parts[which];
    see_past(search, part);
    return part->algorithm->ask(part, k, point);
}

/* ---- choosing a part ---- */

/*
 * With many trials at a time, only some of them come from the expensive Gaussian process, and with
 * very many, none: it learns from each result, which would keep workers waiting.
 */
static bool is_turn_of_gp(const struct search *search, uint64_t k)
{
    size_t running = search->past.running_count;
    return running < TOO_MANY && k % ((running + SIDE_BY_SIDE) / SIDE_BY_SIDE) == 0;
}

/* The share of the variance that the Gaussian process explains. */
static double explained(struct search *search)
{
    struct state *state = search->state;
    see_past(search, &state->parts[GP]);
    return gp_quality(&state->parts[GP]);
}

static enum part choose(struct search *search, uint64_t k)
{
    static const enum part others[] = {TPE, EVOLUTION, FOREST};
    size_t results = search->past.told_count;
    if (search->hurried)
        return EVOLUTION;
    if (results > LEAD_RESULTS + FOREST_RESULTS)
        return EVOLUTION;
    if (results > LEAD_RESULTS)
        return k % 4 == 0 ? EVOLUTION : FOREST;
    if (!is_turn_of_gp(search, k))
        return FOREST;
    if (k % 2 == 0 && results > FEW_RESULTS && explained(search) < ENOUGH)
        return others[k / 2 % 3];
    return GP;
}

/* Most quick suggestions explore: a draw costs least, and evolution narrows down soon. */
static enum search_answer draw_quickly(struct search *search, uint64_t k, double *point)
{
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

static enum search_answer ask_auto(struct search *search, uint64_t k, double *point)
{
    if (search->hurried && k % 4 != 0)
        return draw_quickly(search, k, point);
    return ask_part(search, choose(search, k), k, point);
}

static const char *choice_auto(const struct search *search)
{
    const struct state *state = search->state;
    return state->choice;
}

const struct algorithm auto_algorithm = {
    .about = "chooses among the others by space, budget and results",
    .learns = true,
    .redraws = true,
    .hurries = true,
    .create = create_auto,
    .free = destroy_auto,
    .ask = ask_auto,
    .choice = choice_auto,
};
