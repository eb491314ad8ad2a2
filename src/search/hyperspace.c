/*
 * hyperspace.c - divides the space into overlapping parts, each with its own search.
 *
 * M. Young, J. Hinkle, A. Ramanathan and R. Kannan, "HyperSpace: Distributed Bayesian
 * Hyperparameter Optimization", 2018. Some of the parameters are halved, with an overlap; each of
 * the 2^D combinations of halves is a part. The parts are searched side by side and share nothing,
 * so early luck does not draw all workers to one place.
 *
 * Trial k belongs to part k mod 2^D, or, if it is the user's own and does not lie there, to the
 * first part that it lies in. A part has a narrowed copy of the space, in which values of choices
 * and ordered lists have other indexes, and a search that is updated from the past of the whole
 * before it is asked. A part holds nothing that is not in this past.
 */
#include "search/algorithm.h"
#include "search/narrow.h"

#include <math.h>

enum { MOST_DIMENSIONS = 10, TRIES = 10 };

static const char *const inner_names[] = {"gp", "forest", "tpe", "random", NULL};

enum { OVERLAP, INNER, DIMENSIONS };

static const struct option options[] = {
    [OVERLAP] =
        OPTION_NUMBER("overlap", 0, 0.9, 0.25,
                      "how far each half reaches into the other, as a fraction of its length"),
    [INNER] = OPTION_WORD("inner", inner_names, 0,
                          "algorithm inside each part: gp, forest, tpe or random"),
    [DIMENSIONS] =
        OPTION_WHOLE("dimensions", 0, MOST_DIMENSIONS, NAN,
                     "number of parameters that are halved; default: from budget and workers"),
    {0},
};

struct part {
    struct narrow narrow;
    struct search_settings settings;
    struct search *search;
    uint64_t count; /* number of trials that belong to the part */
};

/* The place of a trial in its part. */
struct home {
    uint32_t part;
    uint32_t number;
};

struct hyperspace {
    size_t cuts[MOST_DIMENSIONS]; /* the parameters that are halved */
    size_t cut_count;
    struct part *parts;
    size_t part_count;
    struct home *homes; /* one for each entry; earlier results have none */
    size_t homes_capacity;
    size_t seen;     /* number of entries that have a home */
    size_t told;     /* number of results that were passed on */
    double *scratch; /* a point of a part */
    char choice[96];
};

/* ---- results ---- */

/* The part that an entry belongs to. */
static size_t part_of(const struct hyperspace *h, const struct past *past, size_t entry)
{
    const double *point = past_point(past, entry);
    size_t part = (entry - past->earlier) % h->part_count;
    if (narrow_has(&h->parts[part].narrow, point))
        return part;
    for (part = 0; part + 1 < h->part_count; part++)
        if (narrow_has(&h->parts[part].narrow, point))
            break;
    return part;
}

static void settle(struct hyperspace *h, const struct past *past, size_t entry)
{
    h->homes = memory_grow(h->homes, &h->homes_capacity, entry + 1, sizeof *h->homes);
    size_t index = part_of(h, past, entry);
    struct part *part = &h->parts[index];
    h->homes[entry] = (struct home){(uint32_t)index, (uint32_t)part->count++};
    narrow_point(&part->narrow, past_point(past, entry), h->scratch);
    if (part->search->algorithm->learns)
        search_replay(part->search, h->scratch);
}

/* The result of an entry as it would be told; the scores of the past are to be minimised. */
static struct search_result result_of(const struct past *past, size_t entry)
{
    struct search_result result = {
        .good = past->states[entry] == PAST_GOOD,
        .violation = past->violations[entry],
    };
    for (size_t i = 0; i < past->objectives; i++)
        result.scores[i] = past->scores[entry * past->objectives + i];
    return result;
}

/* An earlier result belongs to no part: all parts that it lies in learn from it. */
static void learn(struct hyperspace *h, const struct past *past, size_t entry)
{
    const double *point = past_point(past, entry);
    struct search_result result = result_of(past, entry);
    for (size_t i = 0; i < h->part_count; i++) {
        struct part *part = &h->parts[i];
        if (!narrow_has(&part->narrow, point))
            continue;
        narrow_point(&part->narrow, point, h->scratch);
        search_learn(part->search, h->scratch, &result);
    }
}

/* Passes on what is new. A refused entry was never passed on: nothing was asked in between. */
static void update(struct hyperspace *h, const struct past *past)
{
    for (; h->seen < past->earlier; h->seen++)
        learn(h, past, h->seen);
    for (; h->seen < past->count; h->seen++)
        settle(h, past, h->seen);
    for (; h->told < past->told_count; h->told++) {
        uint32_t entry = past->told[h->told];
        if (entry < past->earlier)
            continue;
        struct search_result result = result_of(past, entry);
        struct home home = h->homes[entry];
        search_tell(h->parts[home.part].search, home.number, &result);
    }
}

/* ---- suggestions ---- */

/* Asks a part's search, which ignores its suggestion until that is in the past. */
static enum search_answer ask_part(struct part *part, double *point)
{
    struct search *search = part->search;
    struct random random;
    if (search->algorithm->learns)
        return search->algorithm->ask(search, part->count, point);
    algorithm_random(search, part->count, &random);
    return algorithm_draw(search, &random, point);
}

/*
 * Where parts overlap, a finite part may suggest a point that another part has tried. It is then
 * asked again, as if the point had been refused. If that does not help, any new point of the whole
 * space is drawn.
 */
static enum search_answer ask_hyperspace(struct search *search, uint64_t k, double *point)
{
    struct hyperspace *h = search->state;
    const struct past *past = &search->past;
    update(h, past);
    struct part *part = &h->parts[(past->count - past->earlier) % h->part_count];
    enum search_answer answer = SEARCH_POINT;
    for (uint64_t i = 0; i < TRIES && answer == SEARCH_POINT; i++) {
        part->search->refused = search->refused + i;
        answer = ask_part(part, h->scratch);
        if (answer == SEARCH_WAIT)
            return answer;
        if (answer == SEARCH_POINT) {
            narrow_back(&part->narrow, h->scratch, point);
            if (!past_has(past, point))
                return SEARCH_POINT;
        }
    }
    struct random random;
    algorithm_random(search, k, &random);
    return algorithm_draw_new(search, &random, point);
}

/* ---- choosing the parts ---- */

/* The order of halving: numbers, ordered values, choices; then parameters that may be inactive. */
static int reluctance(const struct parameter *parameter)
{
    int kind = parameter->kind == PARAMETER_CHOICE    ? 2
               : parameter->kind == PARAMETER_ORDERED ? 1
                                                      : 0;
    return kind + (parameter->when_count > 0 ? 3 : 0);
}

static void choose_cuts(struct hyperspace *h, const struct space *space, size_t most)
{
    for (int wanted = 0; wanted < 6; wanted++)
        for (size_t i = 0; i < space->count && h->cut_count < most; i++) {
            const struct parameter *parameter = &space->parameters[i];
            if (space_levels(parameter) >= 2 && reluctance(parameter) == wanted)
                h->cuts[h->cut_count++] = i;
        }
}

/*
 * The default is as many parts as there are workers, as long as each part has enough trials to
 * learn from. With one worker, or an unknown number of workers, it is a few parts.
 */
static size_t default_dimensions(const struct search_settings *settings)
{
    double trials = settings->trials ? (double)settings->trials : 400;
    double parts = settings->workers > 1 ? (double)settings->workers : 4;
    double dimensions = floor(log2(fmax(fmin(parts, trials / 20), 1)));
    return (size_t)fmin(dimensions, 6);
}

static void open_part(struct search *search, size_t index)
{
    struct hyperspace *h = search->state;
    const struct search_settings *settings = search->settings;
    struct part *part = &h->parts[index];
    bool upper[MOST_DIMENSIONS];
    for (size_t i = 0; i < h->cut_count; i++)
        upper[i] = index >> i & 1;
    narrow_open(&part->narrow, search->space, h->cuts, upper, h->cut_count,
                algorithm_option(search, OVERLAP));
    part->settings = (struct search_settings){
        .algorithm = inner_names[(size_t)algorithm_option(search, INNER)],
        .seed = settings->seed + index * UINT64_C(0xd1342543de82ef95),
        .trials = (settings->trials + h->part_count - 1) / h->part_count,
        .workers = (settings->workers + h->part_count - 1) / h->part_count,
        .objectives = settings->objectives,
    };
    part->search = search_create(&part->settings, &part->narrow.space);
}

static void describe(struct search *search, bool chosen)
{
    struct hyperspace *h = search->state;
    const char *inner = h->parts[0].settings.algorithm;
    if (h->part_count > 1)
        snprintf(h->choice, sizeof h->choice, "%zu parts, each searched by %s", h->part_count,
                 inner);
    else
        snprintf(h->choice, sizeof h->choice, "the space is not divided%s; searched by %s",
                 chosen && default_dimensions(search->settings) == 0
                     ? ", because the budget is too small"
                     : "",
                 inner);
}

static void create_hyperspace(struct search *search)
{
    struct hyperspace *h = search->state = memory_new(1, sizeof *h);
    double dimensions = algorithm_option(search, DIMENSIONS);
    choose_cuts(h, search->space,
                isnan(dimensions) ? default_dimensions(search->settings) : (size_t)dimensions);
    h->part_count = (size_t)1 << h->cut_count;
    h->parts = memory_new(h->part_count, sizeof *h->parts);
    h->scratch = memory_new(search->space->count, sizeof *h->scratch);
    for (size_t i = 0; i < h->part_count; i++)
        open_part(search, i);
    describe(search, isnan(dimensions));
}

static void destroy_hyperspace(struct search *search)
{
    struct hyperspace *h = search->state;
    for (size_t i = 0; i < h->part_count; i++) {
        search_free(h->parts[i].search);
        narrow_close(&h->parts[i].narrow);
    }
    free(h->parts);
    free(h->homes);
    free(h->scratch);
    free(h);
}

static const char *choice_hyperspace(const struct search *search)
{
    const struct hyperspace *h = search->state;
    return h->choice;
}

const struct algorithm hyperspace_algorithm = {
    .about = "the space is divided into overlapping parts, each with its own search",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create_hyperspace,
    .free = destroy_hyperspace,
    .ask = ask_hyperspace,
    .choice = choice_hyperspace,
};
