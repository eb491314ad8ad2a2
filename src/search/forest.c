/*
 * forest.c - model-based search with a random forest.
 *
 * After an initial design, each suggestion is the point that promises most according to a forest
 * fitted to the results so far (F. Hutter, H. Hoos, K. Leyton-Brown, "Sequential model-based
 * optimization for general algorithm configuration", 2011). The infill criterion defines "promises
 * most":
 *
 *   qlcb  mean - lambda * deviation, with lambda drawn from an exponential distribution for each
 *         suggestion, so that suggestions made at the same time differ (the same authors, "Parallel
 *         algorithm configuration", 2012)
 *   ei    the expected improvement over the best
 *   lcb   mean - deviation
 *
 * Running trials count, in the leaves that they fall into, as if their results were the median of
 * all results, so that the next suggestion keeps away (D. Ginsbourger et al., "Kriging is
 * well-suited to parallelize optimization", 2010, constant liar).
 *
 * Everything is a function of the past. Which trees are grown again with result n, and from which
 * rows, depends on n alone (tree_due()). The points that promise most without the running trials
 * are found once for each n (gather()). A suggestion is the best of them given the running trials,
 * improved a little.
 */
#include "num/num.h"
#include "search/algorithm.h"
#include "search/bend.h"
#include "search/climb.h"

#include <math.h>

enum {
    OPTION_INITIAL,
    OPTION_INFILL,
    OPTION_RANDOM_SHARE,
    OPTION_TREES,
};

enum infill { INFILL_QLCB, INFILL_EI, INFILL_LCB };

enum {
    POOL = 24,   /* points kept for each lambda */
    LAMBDAS = 3, /* number of lambdas in the pool */
    ELITE = 20,  /* number of best results that the model judges again */
    STARTS = 3,  /* of these, how many climbs start from */
    FINALISTS = 3,
};

static const double lambdas[LAMBDAS] = {0.3, 1, 3};
static const double NOISY = 0.1; /* on a softer scale than this, leaves average several results */

/* A cache: all of it follows from the past. */
struct state {
    struct forest *forest;
    size_t columns, *parameters; /* parameters: one for each column */
    size_t *categories;
    bool has_categories;
    uint32_t *entries; /* the entry of each row of the forest */
    double *row_values;
    size_t rows, row_capacity, entry_capacity;
    double *targets;
    size_t target_capacity;
    bool settled;
    uint32_t *pretended; /* entries that count as if they had a result */
    size_t pretended_count, pretended_capacity;
    double *pool;
    size_t pool_count;
    uint32_t starts[STARTS];
    size_t start_count;
    double best; /* the smallest mean of the best results */
    double lie;
    double *scratch; /* rows, means and variances of a prediction */
    size_t scratch_capacity;
};

/* How the current suggestion judges points. */
struct judge {
    struct state *state;
    const struct space *space;
    enum infill infill;
    double lambda;
    const double *fixed; /* allow only points with the same categories as this one; NULL: all */
};

/* ---- rows ---- */

static void make_forest(struct search *search)
{
    struct state *s = search->state;
    forest_free(s->forest);
    s->forest = forest_create(&(struct forest_settings){
        .columns = s->columns,
        .categories = s->categories,
        .trees = (size_t)algorithm_option(search, OPTION_TREES),
        .column_share = 0.5,
        .whole = true,
        .most_rows = 4000,
        .seed = search->settings->seed,
    });
    s->rows = 0;
    s->settled = false;
}

static void create_forest(struct search *search)
{
    const struct space *space = search->space;
    struct state *s = memory_new(1, sizeof *s);
    s->parameters = memory_new(space->count, sizeof *s->parameters);
    s->categories = memory_new(space->count, sizeof *s->categories);
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (!algorithm_varies(parameter))
            continue;
        s->categories[s->columns] =
            parameter->kind == PARAMETER_CHOICE ? parameter->value_count : 0;
        s->has_categories |= parameter->kind == PARAMETER_CHOICE;
        s->parameters[s->columns++] = i;
    }
    s->pool = memory_new(POOL * LAMBDAS * space->count, sizeof *s->pool);
    search->state = s;
    make_forest(search);
}

static void destroy_forest(struct search *search)
{
    struct state *s = search->state;
    forest_free(s->forest);
    free(s->parameters);
    free(s->categories);
    free(s->entries);
    free(s->row_values);
    free(s->targets);
    free(s->pretended);
    free(s->pool);
    free(s->scratch);
    free(s);
}

/* A row of the forest: categories as they are, numbers on the scale of the parameter. */
static void make_row(const struct state *s, const struct space *space, const double *point,
                     double *row)
{
    for (size_t i = 0; i < s->columns; i++) {
        double value = point[s->parameters[i]];
        bool plain = s->categories[i] > 0 || isnan(value);
        row[i] = plain ? value : space_unit(&space->parameters[s->parameters[i]], value);
    }
}

/* ---- targets ---- */

/* The targets of the first `count` results, as if there were no later ones. */
static void make_targets(struct search *search, const struct past *past, size_t count)
{
    struct state *s = search->state;
    struct past then = *past;
    struct random random;
    then.told_count = count;
    s->targets = memory_grow(s->targets, &s->target_capacity, count, sizeof *s->targets);
    random_seed(&random, search->settings->seed ^ UINT64_C(0x666f72657374), count);
    past_targets(&then, &random, s->targets);
    struct bend_rows rows = {s->row_values, s->columns, s->categories};
    double soft = bend_targets(s->targets, count, &rows);
    forest_set_least_leaf(s->forest, soft > NOISY ? 3 : 1);
}

/* ---- the model ---- */

/* With n results, each tree is grown again every this many results, a power of two. */
static size_t period(size_t n, size_t trees)
{
    size_t result = 1;
    while (result * 32 <= n && result < trees)
        result *= 2;
    return result;
}

/* The number of results from which a tree is grown when there are n. */
static size_t tree_due(size_t tree, size_t n, size_t trees)
{
    while (n > 0 && (n ^ tree) % period(n, trees) != 0)
        n--;
    return n > 0 ? n : 1;
}

static void add_rows(struct search *search, const struct past *past)
{
    struct state *s = search->state;
    size_t known = s->rows < past->told_count ? s->rows : past->told_count;
    bool same = known == 0 || memcmp(s->entries, past->told, known * sizeof *s->entries) == 0;
    if (s->rows > known || !same)
        make_forest(search);
    s->entries =
        memory_grow(s->entries, &s->entry_capacity, past->told_count + 1, sizeof *s->entries);
    s->row_values = memory_grow(s->row_values, &s->row_capacity, past->told_count + 1,
                                (s->columns + 1) * sizeof *s->row_values);
    for (; s->rows < past->told_count; s->rows++) {
        uint32_t entry = past->told[s->rows];
        double *row = s->row_values + s->rows * s->columns;
        make_row(s, search->space, past_point(past, entry), row);
        forest_add(s->forest, row, 0);
        s->entries[s->rows] = entry;
        s->settled = false;
    }
}

/* Brings the forest up to date with the results; false when it already was. */
static bool fit(struct search *search, const struct past *past)
{
    struct state *s = search->state;
    size_t trees = (size_t)algorithm_option(search, OPTION_TREES), made = SIZE_MAX;
    add_rows(search, past);
    if (s->settled)
        return false;
    for (size_t i = 0; i < trees; i++) {
        size_t due = tree_due(i, s->rows, trees);
        if (due == forest_grown(s->forest, i))
            continue;
        if (due != made) {
            make_targets(search, past, due);
            forest_retarget(s->forest, s->targets, due);
            made = due;
        }
        forest_grow(s->forest, i, due);
    }
    make_targets(search, past, s->rows);
    forest_retarget(s->forest, s->targets, s->rows);
    forest_settle(s->forest);
    s->pretended_count = 0;
    s->settled = true;
    return true;
}

/* ---- judging points ---- */

static double *scratch_of(struct state *s, size_t count)
{
    s->scratch =
        memory_grow(s->scratch, &s->scratch_capacity, count * (s->columns + 2), sizeof *s->scratch);
    return s->scratch;
}

/*
 * Minus the logarithm of the expected improvement: it still ranks points whose improvement is too
 * small for a double.
 */
static double improvement(double mean, double deviation, double best)
{
    static const double far = -20, root = 2.5066282746310002; /* the square root of 2 pi */
    double z = (best - mean) / fmax(deviation, 1e-9);
    double gain = z * erfc(-z / sqrt(2)) / 2 + exp(-z * z / 2) / root;
    double logarithm = z > far ? log(gain) : -z * z / 2 - log(root * z * z);
    return -logarithm - log(fmax(deviation, 1e-9));
}

static bool same_categories(const struct judge *j, const double *point)
{
    const struct state *s = j->state;
    for (size_t i = 0; i < s->columns; i++) {
        double value = point[s->parameters[i]], fixed = j->fixed[s->parameters[i]];
        if (s->categories[i] > 0 && !(value == fixed || (isnan(value) && isnan(fixed))))
            return false;
    }
    return true;
}

static void judge_values(void *self, const double *points, size_t count, double *values)
{
    const struct judge *j = self;
    struct state *s = j->state;
    double *rows = scratch_of(s, count);
    double *means = rows + count * s->columns, *variances = means + count;
    for (size_t i = 0; i < count; i++)
        make_row(s, j->space, points + i * j->space->count, rows + i * s->columns);
    forest_predict_many(s->forest, rows, count, means, variances);
    for (size_t i = 0; i < count; i++) {
        double deviation = sqrt(variances[i]);
        values[i] = j->infill == INFILL_EI ? improvement(means[i], deviation, s->best)
                                           : means[i] - j->lambda * deviation;
        if (j->fixed && !same_categories(j, points + i * j->space->count))
            values[i] = INFINITY;
    }
}

/* Finds the best results: the model judges those that look best, since noise makes some look so. */
static void find_starts(struct state *s, const struct space *space, const struct past *past)
{
    struct judge mean = {.state = s, .space = space, .infill = INFILL_LCB};
    uint32_t elite[ELITE];
    double values[ELITE];
    size_t count = 0;
    for (size_t i = 0; i < s->rows; i++) {
        size_t at = count < ELITE ? count++ : ELITE;
        for (; at > 0 && s->targets[i] < s->targets[elite[at - 1]]; at--)
            if (at < ELITE)
                elite[at] = elite[at - 1];
        if (at < ELITE)
            elite[at] = (uint32_t)i;
    }
    double *points = memory_new(count * space->count, sizeof *points);
    for (size_t i = 0; i < count; i++)
        memcpy(points + i * space->count, past_point(past, s->entries[elite[i]]),
               space->count * sizeof *points);
    judge_values(&mean, points, count, values);
    free(points);
    s->best = INFINITY;
    s->start_count = 0;
    for (size_t k = 0; k < STARTS && k < count; k++) {
        size_t winner = 0;
        for (size_t i = 0; i < count; i++)
            if (values[i] < values[winner])
                winner = i;
        if (k == 0)
            s->best = values[winner];
        s->starts[s->start_count++] = s->entries[elite[winner]];
        values[winner] = INFINITY;
    }
}

/* Collects the points that promise most when no trial is running. */
static void gather(struct search *search, enum infill infill)
{
    struct state *s = search->state;
    struct random random;
    random_seed(&random, search->settings->seed ^ UINT64_C(0x706f6f6c), s->rows);
    s->pool_count = 0;
    size_t rounds = infill == INFILL_QLCB ? LAMBDAS : 1;
    for (size_t i = 0; i < rounds; i++) {
        struct judge judge = {.state = s, .space = search->space, .infill = infill};
        judge.lambda = infill == INFILL_QLCB ? lambdas[i] : 1;
        struct climb climb = {.self = &judge,
                              .values = judge_values,
                              .starts = s->starts,
                              .start_count = s->start_count,
                              .draws = 180 / rounds,
                              .climbs = 1,
                              .rounds = 6,
                              .crowd = 8};
        s->pool_count += climb_best(search, &climb, &random,
                                    s->pool + s->pool_count * search->space->count, POOL);
    }
}

static double middle_target(const struct state *s)
{
    double *sorted = memory_new(s->rows, sizeof *sorted);
    memcpy(sorted, s->targets, s->rows * sizeof *sorted);
    qsort(sorted, s->rows, sizeof *sorted, num_compare);
    double middle = s->rows > 0 ? sorted[s->rows / 2] : 0;
    free(sorted);
    return middle;
}

/* ---- running trials ---- */

/* Counts the running trials, in the order of their entries, since sums depend on the order. */
static void pretend(struct search *search, const struct past *past)
{
    struct state *s = search->state;
    size_t count = past->running_count, known = s->pretended_count;
    uint32_t *running = past_running(past);
    double *row = memory_new(s->columns, sizeof *row);
    bool same = known == 0 ||
                (known <= count && memcmp(s->pretended, running, known * sizeof *running) == 0);
    if (!same) {
        forest_settle(s->forest);
        s->pretended_count = 0;
    }
    s->pretended = memory_grow(s->pretended, &s->pretended_capacity, count, sizeof *s->pretended);
    for (; s->pretended_count < count; s->pretended_count++) {
        uint32_t entry = running[s->pretended_count];
        make_row(s, search->space, past_point(past, entry), row);
        forest_pretend(s->forest, row, s->lie);
        s->pretended[s->pretended_count] = entry;
    }
    free(running);
    free(row);
}

/* ---- suggestions ---- */

/* The best few points of the pool for this judge, best first. */
static size_t choose_finalists(const struct search *search, struct judge *judge, double *points)
{
    const struct state *s = search->state;
    size_t width = search->space->count, count = 0;
    double values[POOL * LAMBDAS] = {0};
    judge_values(judge, s->pool, s->pool_count, values);
    for (; count < FINALISTS && count < s->pool_count; count++) {
        size_t winner = 0;
        for (size_t i = 0; i < s->pool_count; i++)
            if (values[i] < values[winner])
                winner = i;
        memcpy(points + count * width, s->pool + winner * width, width * sizeof *points);
        values[winner] = INFINITY;
    }
    return count;
}

/* Brings the model up to date with all results and running trials. */
static void prepare(struct search *search, const struct past *past)
{
    struct state *s = search->state;
    if (fit(search, past)) {
        find_starts(s, search->space, past);
        s->lie = middle_target(s);
        gather(search, (enum infill)algorithm_option(search, OPTION_INFILL));
    }
    pretend(search, past);
}

static enum search_answer suggest(struct search *search, struct random *random, double *point)
{
    enum infill infill = (enum infill)algorithm_option(search, OPTION_INFILL);
    struct judge judge = {
        .state = search->state, .space = search->space, .infill = infill, .lambda = 1};
    if (infill == INFILL_QLCB)
        judge.lambda = -log(1 - random_unit(random));
    double *finalists = memory_new(FINALISTS * search->space->count, sizeof *finalists);
    struct climb climb = {.self = &judge,
                          .values = judge_values,
                          .points = finalists,
                          .point_count = choose_finalists(search, &judge, finalists),
                          .rounds = 4,
                          .crowd = 8};
    enum search_answer answer = climb_down(search, &climb, random, point, NULL);
    free(finalists);
    return answer;
}

/*
 * A random point. Half of the time, only its categories are kept, with the numbers that promise
 * most for them, so that categories with a bad start are not given up.
 */
static enum search_answer explore(struct search *search, struct random *random, double *point)
{
    enum search_answer answer = algorithm_draw_new(search, random, point);
    if (answer != SEARCH_POINT || random_unit(random) < 0.5)
        return answer;
    double *start = memory_new(search->space->count, sizeof *start);
    memcpy(start, point, search->space->count * sizeof *start);
    struct judge judge = {.state = search->state,
                          .space = search->space,
                          .infill = INFILL_LCB,
                          .lambda = 1,
                          .fixed = start};
    struct climb climb = {.self = &judge,
                          .values = judge_values,
                          .points = start,
                          .point_count = 1,
                          .rounds = 12,
                          .crowd = 8};
    answer = climb_down(search, &climb, random, point, NULL);
    free(start);
    return answer;
}

static size_t initial_size(const struct search *search)
{
    const struct state *s = search->state;
    double given = algorithm_option(search, OPTION_INITIAL);
    if (!isnan(given))
        return (size_t)given;
    size_t size = s->columns + 4;
    uint64_t trials = search->settings->trials;
    if (trials > 0 && size > trials / 5)
        size = trials / 5;
    return size < 4 ? 4 : size;
}

static enum search_answer ask_forest(struct search *search, uint64_t k, double *point)
{
    struct random random;
    const struct past *past = &search->past;
    algorithm_random(search, k, &random);
    if (past->count < initial_size(search) || past->good_count < 2)
        return algorithm_even(search, k, &random, point);
    bool random_one = random_unit(&random) < algorithm_option(search, OPTION_RANDOM_SHARE);
    if (random_one && !((struct state *)search->state)->has_categories)
        return algorithm_draw_new(search, &random, point);
    prepare(search, past);
    return random_one ? explore(search, &random, point) : suggest(search, &random, point);
}

static const char *const infills[] = {"qlcb", "ei", "lcb", NULL};

static const struct option options[] = {
    OPTION_WHOLE("initial", 1, 1e6, NAN,
                 "trials of the initial design; default: a few more than there are parameters"),
    OPTION_WORD("infill", infills, INFILL_EI, "how points are judged: qlcb, ei or lcb"),
    OPTION_NUMBER("random_share", 0, 1, 0.12, "share of random points among the suggestions"),
    OPTION_WHOLE("trees", 1, 1000, 32, "number of trees in the forest"),
    {0},
};

const struct algorithm forest_algorithm = {
    .about = "a random forest learns which regions are promising",
    .learns = true,
    .redraws = true,
    .options = options,
    .create = create_forest,
    .free = destroy_forest,
    .ask = ask_forest,
};
