/* gp_model.c - from the past to a Gaussian process. */
#include "search/gp_model.h"

#include "num/num.h"

#include <float.h>
#include <math.h>

enum {
    FIRST_STOP = 4,     /* number of results that a model needs */
    OFTEN = 30,         /* up to this many results, parameters are learned at every second one */
    SEVERAL_EFFORT = 8, /* evaluations per suggestion, with several objectives */
    MOST_ROWS = 1000,   /* with more results, the model is a local one of LOCAL_ROWS */
    LOCAL_ROWS = 500,
    FIRST_EPOCH = 128 /* learning starts afresh at this many results, and at each doubling */
};

/* What the model expects of a running trial. */
struct belief {
    uint32_t entry;
    double mean;
};

struct gp_model {
    const struct space *space;
    bool draws_in;                 /* draw in large targets: see gp_model_shape() */
    size_t *columns, column_count; /* parameters that vary */
    struct gp *gp;
    double *learnt;          /* parameters of the process */
    size_t learnt_at;        /* number of results they were learned from; 0: none */
    size_t built_from;       /* number of results in the factor; 0: none */
    size_t base;             /* number of rows of the factor that are results */
    uint32_t *entries;       /* entries of these rows */
    size_t capacity;         /* capacity of `entries` */
    double incumbent;        /* smallest mean at these rows */
    size_t best;             /* entry that has this mean */
    struct belief *believed; /* running trials: the rows after the results */
    size_t believed_count, believed_capacity;
    double aim; /* the value to improve on: the smallest mean, minus the required gain */
};

/* ---- rows ---- */

struct gp_model *gp_model_create(const struct search *search, bool draws_in)
{
    const struct space *space = search->space;
    struct gp_model *model = memory_new(1, sizeof *model);
    size_t *categories = memory_new(space->count, sizeof *categories);
    bool *optional = memory_new(space->count, sizeof *optional);
    model->space = space;
    model->draws_in = draws_in;
    model->columns = memory_new(space->count, sizeof *model->columns);
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (!algorithm_varies(parameter))
            continue;
        if (parameter->kind == PARAMETER_CHOICE)
            categories[model->column_count] = parameter->value_count;
        optional[model->column_count] = parameter->when_count > 0;
        model->columns[model->column_count++] = i;
    }
    model->gp = gp_create(&(struct gp_settings){model->column_count, categories, optional});
    model->learnt = memory_new(gp_parameter_count(model->gp), sizeof *model->learnt);
    free(categories);
    free(optional);
    return model;
}

void gp_model_free(struct gp_model *model)
{
    if (!model)
        return;
    gp_free(model->gp);
    free(model->columns);
    free(model->learnt);
    free(model->entries);
    free(model->believed);
    free(model);
}

static void fill_row(const struct gp_model *model, const double *point, double *row)
{
    for (size_t c = 0; c < model->column_count; c++) {
        const struct parameter *parameter = &model->space->parameters[model->columns[c]];
        double value = point[model->columns[c]];
        bool plain = isnan(value) || parameter->kind == PARAMETER_CHOICE;
        row[c] = plain ? value : space_unit(parameter, value);
    }
}

static double *rows_of(const struct gp_model *model, const double *points, size_t count)
{
    double *rows = memory_new(count * model->column_count, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        fill_row(model, points + i * model->space->count, rows + i * model->column_count);
    return rows;
}

/* ---- targets ---- */

static void standardise(double *y, size_t count)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < count; i++)
        mean += y[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        variance += (y[i] - mean) * (y[i] - mean) / (double)count;
    for (size_t i = 0; i < count; i++)
        y[i] = variance > 0 ? (y[i] - mean) / sqrt(variance) : 0;
}

static double yeo_johnson(double y, double power)
{
    if (y >= 0)
        return fabs(power) < 1e-9 ? log1p(y) : (pow(1 + y, power) - 1) / power;
    double other = 2 - power;
    return fabs(other) < 1e-9 ? -log1p(-y) : -(pow(1 - y, other) - 1) / other;
}

/* The log likelihood of the targets, assumed to be normal after the transformation. */
static double normality(const double *y, size_t count, double power)
{
    double mean = 0, variance = 0, jacobian = 0;
    for (size_t i = 0; i < count; i++) {
        mean += yeo_johnson(y[i], power) / (double)count;
        jacobian += (power - 1) * copysign(log1p(fabs(y[i])), y[i]);
    }
    for (size_t i = 0; i < count; i++) {
        double off = yeo_johnson(y[i], power) - mean;
        variance += off * off / (double)count;
    }
    return jacobian - 0.5 * (double)count * log(variance + DBL_MIN);
}

/*
 * Draws in large targets but never small ones, among which the best is sought: so the power is at
 * most 1. (I.-K. Yeo and R. A. Johnson, "A new family of power transformations", 2000.)
 */
static void make_normal(double *y, size_t count)
{
    double best = 1, best_value = normality(y, count, 1);
    for (int tenths = 9; tenths >= -10; tenths--) {
        double power = tenths / 10.0, value = normality(y, count, power);
        if (value > best_value) {
            best = power;
            best_value = value;
        }
    }
    for (size_t i = 0; i < count && best < 1; i++)
        y[i] = yeo_johnson(y[i], best);
    standardise(y, count);
}

/* The limit beyond which a target says only that it is bad. */
static double worst_that_counts(const double *targets, size_t count)
{
    double *sorted = memory_new(count, sizeof *sorted);
    memcpy(sorted, targets, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, num_compare);
    double low = sorted[0], high = sorted[count - 1], upper = sorted[count * 3 / 4];
    free(sorted);
    return upper > low ? fmin(high, upper + 5 * (upper - low)) : high;
}

void gp_model_shape(const double *targets, size_t count, bool draw_in, double *shaped)
{
    double worst = worst_that_counts(targets, count), low = INFINITY;
    for (size_t i = 0; i < count; i++)
        low = fmin(low, targets[i]);
    double span = worst / 2 - low / 2; /* half of the span, since the whole may overflow */
    for (size_t i = 0; i < count; i++)
        shaped[i] = span > 0 ? (fmin(targets[i], worst) / 2 - low / 2) / span : 0;
    standardise(shaped, count);
    if (span > 0 && count > 4 && draw_in)
        make_normal(shaped, count);
}

/* ---- learning ---- */

/* The number of results at which the parameters are learned next. */
static size_t next_stop(size_t stop)
{
    return stop + (stop < OFTEN ? 2 : stop < 100 ? 4 : stop / 16);
}

/* Fewer evaluations when each takes longer, so that learning takes about the same time. */
static size_t evaluations_for(const struct gp_model *model, size_t rows)
{
    double n = (double)rows, work = n * n * (n + 10 * (double)model->column_count);
    return (size_t)fmin(fmax(4e7 / work, 4), 60);
}

/* The shaped targets of the first `told` results. */
static double *targets_of(const struct gp_model *model, const struct past *past, size_t told,
                          struct random *random)
{
    struct past until = *past;
    until.told_count = told;
    double *targets = memory_new(told, sizeof *targets);
    double *shaped = memory_new(told, sizeof *shaped);
    past_targets(&until, random, targets);
    gp_model_shape(targets, told, model->draws_in, shaped);
    free(targets);
    return shaped;
}

struct near {
    double distance;
    size_t at; /* index in `told` */
};

static int compare_near(const void *a, const void *b)
{
    const struct near *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The squared distance of two rows; a category that differs counts as the whole range. */
static double distance(const struct gp_model *model, const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < model->column_count; c++) {
        bool missing = isnan(a[c]) || isnan(b[c]);
        double off = missing ? (isnan(a[c]) && isnan(b[c]) ? 0 : 1) : a[c] - b[c];
        sum += fmin(off * off, 1);
    }
    return sum;
}

/* Chooses the results for the model among the first `told`: all, or those nearest to the best. */
static size_t *choose(const struct gp_model *model, const struct past *past, size_t told,
                      const double *targets, size_t *count)
{
    size_t *chosen = memory_new(told, sizeof *chosen), best = 0;
    *count = told <= MOST_ROWS ? told : LOCAL_ROWS;
    for (size_t i = 0; i < told; i++) {
        chosen[i] = i;
        best = targets[i] < targets[best] ? i : best;
    }
    if (*count == told)
        return chosen;
    struct near *all = memory_new(told, sizeof *all);
    double *row = memory_new(2 * model->column_count, sizeof *row);
    double *centre = row + model->column_count;
    fill_row(model, past_point(past, past->told[best]), centre);
    for (size_t i = 0; i < told; i++) {
        fill_row(model, past_point(past, past->told[i]), row);
        all[i] = (struct near){distance(model, row, centre), i};
    }
    qsort(all, told, sizeof *all, compare_near);
    for (size_t i = 0; i < *count; i++)
        chosen[i] = all[i].at;
    free(row);
    free(all);
    return chosen;
}

/* Loads the first `told` results, or the ones that choose() selects, into the process. */
static void load(struct gp_model *model, const struct past *past, size_t told,
                 struct random *random)
{
    size_t count;
    double *targets = targets_of(model, past, told, random);
    size_t *chosen = choose(model, past, told, targets, &count);
    double *rows = memory_new(count * model->column_count, sizeof *rows);
    double *kept = memory_new(count, sizeof *kept);
    model->entries = memory_grow(model->entries, &model->capacity, count, sizeof *model->entries);
    for (size_t i = 0; i < count; i++) {
        model->entries[i] = past->told[chosen[i]];
        fill_row(model, past_point(past, model->entries[i]), rows + i * model->column_count);
        kept[i] = targets[chosen[i]];
    }
    if (count < told)
        standardise(kept, count);
    gp_data(model->gp, rows, kept, count);
    model->base = count;
    free(rows);
    free(kept);
    free(chosen);
    free(targets);
}

/* The last number of results, up to `told`, at which learning starts afresh. */
static size_t epoch_of(size_t told)
{
    size_t begin = FIRST_STOP, epoch = FIRST_EPOCH;
    for (size_t stop = FIRST_STOP; stop <= told; stop = next_stop(stop))
        if (stop >= epoch) {
            begin = stop;
            epoch = 2 * stop;
        }
    return begin;
}

/* Learns at every stop up to `told`, whether or not a suggestion was asked for there. */
static void learn(struct gp_model *model, const struct search *search)
{
    size_t told = search->past.told_count, begin = epoch_of(told);
    bool anew = model->learnt_at < begin;
    size_t stop = anew ? begin : next_stop(model->learnt_at);
    if (!anew)
        gp_set_parameters(model->gp, model->learnt);
    for (; stop <= told; stop = next_stop(stop)) {
        struct random random;
        random_seed(&random, search->settings->seed, UINT64_MAX - stop);
        load(model, &search->past, stop, &random);
        size_t effort = evaluations_for(model, model->base);
        enum gp_start start =
            stop < OFTEN || (stop < FIRST_EPOCH && stop % 3 == 0) ? GP_BOTH : GP_HERE;
        gp_fit(model->gp, anew ? 2 * effort : effort, anew ? GP_PLAIN : start);
        gp_parameters(model->gp, model->learnt);
        model->learnt_at = stop;
        anew = false;
    }
}

/* ---- the model ---- */

/* Finds the row among the results with the smallest mean according to the model. */
static void find_incumbent(struct gp_model *model, const struct past *past)
{
    double *rows = memory_new(model->base * (model->column_count + 2), sizeof *rows);
    double *means = rows + model->base * model->column_count, *variances = means + model->base;
    for (size_t i = 0; i < model->base; i++)
        fill_row(model, past_point(past, model->entries[i]), rows + i * model->column_count);
    gp_predict(model->gp, rows, model->base, means, variances);
    size_t best = 0;
    for (size_t i = 1; i < model->base; i++)
        best = means[i] < means[best] ? i : best;
    model->incumbent = means[best];
    model->best = model->entries[best];
    free(rows);
}

static void build(struct gp_model *model, const struct search *search, struct random *random)
{
    const struct past *past = &search->past;
    bool several = past->objectives > 1; /* then each suggestion has its own targets */
    if (model->built_from == past->told_count && !several)
        return;
    learn(model, search);
    load(model, past, past->told_count, random);
    gp_set_parameters(model->gp, model->learnt);
    if (several)
        gp_fit(model->gp, SEVERAL_EFFORT, GP_HERE);
    else
        gp_factor(model->gp);
    find_incumbent(model, past);
    model->built_from = past->told_count;
    model->believed_count = 0;
}

/* Adds a running trial as if it had its expected result. */
static void believe(struct gp_model *model, const struct past *past, size_t at, uint32_t entry)
{
    double *row = rows_of(model, past_point(past, entry), 1), mean, variance;
    gp_predict(model->gp, row, 1, &mean, &variance);
    gp_extend(model->gp, row, mean);
    model->believed[at] = (struct belief){entry, mean};
    free(row);
}

/* Adds the running trials in the order of the suggestions; those already added stay. */
static void believe_running(struct gp_model *model, const struct past *past)
{
    size_t count = past->running_count, same = 0;
    uint32_t *running = past_running(past);
    model->believed =
        memory_grow(model->believed, &model->believed_capacity, count, sizeof *model->believed);
    while (same < count && same < model->believed_count &&
           model->believed[same].entry == running[same])
        same++;
    gp_shrink(model->gp, model->base + same);
    for (size_t i = same; i < count; i++)
        believe(model, past, i, running[i]);
    model->believed_count = count;
    free(running);
}

bool gp_model_sync(struct gp_model *model, const struct search *search, double least,
                   struct random *random)
{
    const struct past *past = &search->past;
    if (past->good_count < 2 || past->told_count < FIRST_STOP || model->column_count == 0)
        return false;
    build(model, search, random);
    believe_running(model, past);
    model->aim = model->incumbent;
    for (size_t i = 0; i < model->believed_count; i++)
        model->aim = fmin(model->aim, model->believed[i].mean);
    if (sqrt(gp_noise(model->gp)) < least / 2) /* with noise, rare gains mean nothing */
        model->aim -= least;
    return true;
}

void gp_model_predict(const struct gp_model *model, const double *points, size_t count,
                      double *means, double *variances)
{
    double *rows = rows_of(model, points, count);
    gp_predict(model->gp, rows, count, means, variances);
    free(rows);
}

double gp_model_quality(const struct gp_model *model)
{
    size_t count = model->base;
    double *means = memory_new(2 * count, sizeof *means), wrong = 0, all = 0;
    gp_leave_one_out(model->gp, count, means, means + count);
    for (size_t i = 0; i < count; i++) {
        double target = gp_target(model->gp, i); /* the mean of all targets is 0 */
        wrong += (target - means[i]) * (target - means[i]);
        all += target * target;
    }
    free(means);
    return all > 0 ? 1 - wrong / all : 0;
}

size_t gp_model_best(const struct gp_model *model)
{
    return model->best;
}

double gp_model_length(const struct gp_model *model, size_t parameter)
{
    double sum = 0, wanted = NAN;
    size_t numbers = 0;
    for (size_t c = 0; c < model->column_count; c++) {
        double length = gp_length(model->gp, c);
        if (isnan(length))
            continue;
        sum += log(length);
        numbers++;
        if (model->columns[c] == parameter)
            wanted = length;
    }
    return isnan(wanted) ? 1 : wanted / exp(sum / (double)numbers);
}

/* ---- what points promise ---- */

/*
 * Far below 0 the improvement is a small difference of larger numbers. There a continued fraction
 * of Mills' ratio, 1 / (t + c) with c = 1 / (t + 2 / (t + 3 / (t + ...))), avoids the difference.
 */
double gp_model_log_improvement(double z, double *distribution, double *density)
{
    static const double root_two_pi = 2.5066282746310002;
    double phi = exp(-z * z / 2) / root_two_pi, below = erfc(-z / sqrt(2)) / 2;
    double improvement = phi + z * below;
    double log_improvement = log(improvement);
    double shares[2] = {below / improvement, phi / improvement};
    if (z < -5) {
        double c = 0;
        for (int i = 30; i > 0; i--)
            c = i / (c - z);
        log_improvement = -z * z / 2 - log(root_two_pi) + log(c / (c - z));
        shares[0] = 1 / c;
        shares[1] = (c - z) / c;
    }
    if (distribution)
        *distribution = shares[0];
    if (density)
        *density = shares[1];
    return log_improvement;
}

void gp_model_promise(const struct gp_model *model, const double *points, size_t count,
                      double *values)
{
    double *variances = memory_new(count, sizeof *variances);
    gp_model_predict(model, points, count, values, variances);
    for (size_t i = 0; i < count; i++) {
        double sigma = sqrt(variances[i]), z = (model->aim - values[i]) / sigma;
        values[i] = -log(sigma) - gp_model_log_improvement(z, NULL, NULL);
    }
    free(variances);
}

double gp_model_promise_slope(const struct gp_model *model, const double *point,
                              const double *units, double *slope)
{
    size_t columns = model->column_count;
    double *memory = memory_new(3 * columns, sizeof *memory), mean, variance, below, phi;
    double *row = memory, *mean_slope = memory + columns, *variance_slope = memory + 2 * columns;
    fill_row(model, point, row);
    for (size_t c = 0; c < columns; c++)
        if (model->space->parameters[model->columns[c]].kind != PARAMETER_CHOICE && !isnan(row[c]))
            row[c] = units[model->columns[c]];
    gp_slope(model->gp, row, &mean, &variance, mean_slope, variance_slope);
    double sigma = sqrt(variance), z = (model->aim - mean) / sigma;
    double value = -log(sigma) - gp_model_log_improvement(z, &below, &phi);
    for (size_t i = 0; i < model->space->count; i++)
        slope[i] = 0;
    for (size_t c = 0; c < columns; c++)
        slope[model->columns[c]] =
            (below * mean_slope[c] - phi * variance_slope[c] / (2 * sigma)) / sigma;
    free(memory);
    return value;
}
