/*
 * left.c - how long the trials that are left will take.
 *
 * Early in a run the trials that have ended say too little: with many workers, the first to end are
 * the short ones, and others that run since the start have not ended yet. So the ages of the
 * running trials count as well, as lower bounds of their durations: durations are taken to be
 * log-normal, fitted to both (censored data; the expectation-maximisation of A. Dempster, N. Laird
 * and D. Rubin, 1977). The fit says how long the running trials are expected to take; what has
 * ended counts as it is, so the later it is, the less does the shape matter.
 */
#include "standing/standing.h"

#include <math.h>

enum {
    ROUNDS = 200, /* of fitting */
    AGES = 50,    /* about the most ages that the fit looks at */
    MANY = 100    /* durations after which only some are fitted: it must cost little */
};

static const double LEAST_SPREAD = 0.01, MOST_SPREAD = 1.5; /* of the logarithms of durations */
static const double ENOUGH = 5;      /* trials per worker after which longer ones hardly come */
static const double OVERLAP = 0.3;   /* share of the last trials that is not work of all */
static const double SHORTEST = 1e-7; /* seconds */

void standing_times_add(struct standing_times *times, double seconds)
{
    double count = (double)++times->count;
    times->mean += 2 / (count + 1) * (seconds - times->mean);
    times->longest = seconds > times->longest ? seconds : times->longest;
    if (times->count > MANY && times->count % MANY > 0)
        return;
    double logarithm = log(fmax(seconds, SHORTEST)), part = 1 / (double)++times->fitted;
    times->log_mean += part * (logarithm - times->log_mean);
    times->log_square += part * (logarithm * logarithm - times->log_square);
}

/* Durations are log-normal: their logarithms have this centre and spread. */
struct fit {
    double centre, spread;
};

static double above(double z)
{
    return fmax(erfc(z / sqrt(2)) / 2, 1e-300);
}

/* A standard normal number that is larger than z has this mean. */
static double mean_above(double z)
{
    return z > 8 ? z + 1 / z : exp(-z * z / 2) / sqrt(2 * M_PI) / above(z);
}

static double place_of(const struct fit *fit, double seconds)
{
    return (log(fmax(seconds, SHORTEST)) - fit->centre) / fit->spread;
}

/* One round: as if the running trials took what the last fit expects of them. */
static struct fit refine(const struct fit *fit, const struct standing_pace *pace)
{
    const struct standing_times *times = pace->times;
    double weight = (double)times->count, centre = fit->centre, spread = fit->spread;
    double sum = weight * times->log_mean, squares = weight * times->log_square;
    size_t stride = pace->running / AGES + 1;
    for (size_t i = 0; i < pace->running; i += stride) {
        double z = place_of(fit, pace->ages[i]), beyond = mean_above(z),
               times_seen = (double)stride;
        double mean = centre + spread * beyond;
        double square = mean * mean + spread * spread * fmax(1 + z * beyond - beyond * beyond, 0);
        sum += times_seen * mean;
        squares += times_seen * square;
        weight += times_seen;
    }
    double mean = sum / weight, variance = fmax(squares / weight - mean * mean, 0);
    return (struct fit){mean, fmin(fmax(sqrt(variance), LEAST_SPREAD), MOST_SPREAD)};
}

static struct fit fit_durations(const struct standing_pace *pace)
{
    const struct standing_times *times = pace->times;
    double variance = fmax(times->log_square - times->log_mean * times->log_mean, 0);
    struct fit fit = {times->log_mean, fmin(fmax(sqrt(variance), LEAST_SPREAD), MOST_SPREAD)};
    for (int i = 0; i < ROUNDS && pace->running > 0; i++)
        fit = refine(&fit, pace);
    return fit;
}

/* The expected duration of a trial that has run for `age` seconds. */
static double expected(const struct fit *fit, double age)
{
    double z = place_of(fit, age), spread = fit->spread;
    if (z > 8)
        return age * (1 + spread / z);
    return fmax(age, exp(fit->centre + spread * spread / 2) * above(z - spread) / above(z));
}

/* About how long the longest of `count` trials takes that have all run for `age` seconds. */
static double longest_of(const struct fit *fit, double age, double count)
{
    double share = above(place_of(fit, age)) / (count + 1), low = -8, high = 38;
    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;
        *(above(middle) > share ? &low : &high) = middle;
    }
    return fmax(age, exp(fit->centre + fit->spread * low));
}

/*
 * Seconds until `trials` have ended, those that run among them: what remains to be done is shared
 * by all workers, but for the last trials, during which others have nothing to do.
 */
static double work_left(const struct standing_pace *pace, double trials)
{
    const struct standing_times *times = pace->times;
    struct fit fit = fit_durations(pace);
    double ended = (double)times->count, running = (double)pace->running;
    double workers = fmax(pace->workers, 1), waiting = fmax(trials - running, 0);
    double all = ended * times->mean, rest = 0, last = 0;
    double most = ended > ENOUGH * workers ? times->longest : INFINITY;
    for (size_t i = 0; i < pace->running; i++) {
        double age = pace->ages[i], seconds = fmin(expected(&fit, age), fmax(most, 1.1 * age));
        all += seconds;
        rest += seconds - age;
        last = fmax(last, fmin(longest_of(&fit, age, running), fmax(most, seconds)) - age);
    }
    rest += waiting * all / (ended + running);
    if (waiting > 0)
        last = fmax(last, fmin(longest_of(&fit, 0, fmin(waiting, workers)), most));
    rest /= workers;
    return fmax(rest, last) + OVERLAP * (1 - 1 / workers) * fmin(rest, last);
}

double standing_time_left(const struct standing_pace *pace)
{
    double left = NAN; /* fmin() ignores it */
    uint64_t trials = standing_trials_left(pace->total, pace->ended);
    if (pace->total > 0 && pace->times && pace->times->count > 0)
        left = trials > 0 ? work_left(pace, (double)trials) : 0;
    else if (pace->total > 0 && pace->rate > 0)
        left = (double)trials / pace->rate;
    if (pace->limit > 0)
        left = fmin(left, fmax(pace->limit - pace->spent, 0));
    return left;
}

/* ---- from a journal ---- */

/* When the last trial of each worker ended, by its number; 0 stands for all that is not known. */
struct ends {
    double *times;
    uint64_t workers;
};

static double *end_of(const struct ends *ends, uint32_t worker)
{
    return &ends->times[worker <= ends->workers ? worker : 0];
}

/* Adds the trials that ended in the last run, in the order of their ends. */
static void add_ended(const struct journal *journal, const struct ends *ends, double since,
                      struct standing_times *times)
{
    for (size_t i = 0; i < journal->completion_count; i++) {
        const struct journal_trial *trial = &journal->trials[journal->completions[i]];
        if (trial->ended < since)
            continue;
        double *end = end_of(ends, trial->worker);
        standing_times_add(times, fmax(trial->ended - *end, 0));
        *end = trial->ended;
    }
}

/* Fills the ages of the trials that run; returns their number. */
static size_t add_running(const struct journal *journal, const struct ends *ends, double now,
                          double *ages)
{
    size_t count = 0;
    for (size_t i = 0; i < journal->count && count < ends->workers; i++)
        if (journal->trials[i].state == OUTCOME_RUNNING)
            ages[count++] = fmax(now - *end_of(ends, journal->trials[i].worker), 0);
    return count;
}

double standing_journal_left(const struct journal *journal, uint64_t total, double now,
                             double spent)
{
    struct journal_run run = {0};
    if (journal->run_count > 0)
        run = journal->runs[journal->run_count - 1];
    double since = run.since;
    uint64_t workers = run.last;
    struct standing_times times = {0};
    struct ends ends = {memory_new((size_t)workers + 1, sizeof(double)), workers};
    double *ages = memory_new((size_t)workers + 1, sizeof *ages);
    for (uint64_t i = 0; i <= workers; i++)
        ends.times[i] = since;
    add_ended(journal, &ends, since, &times);
    struct standing_pace pace = {.total = total,
                                 .ended = journal->completion_count,
                                 .times = &times,
                                 .ages = ages,
                                 .running = add_running(journal, &ends, now, ages),
                                 .workers = (double)(journal->workers - journal->lost),
                                 .limit = journal->limit,
                                 .spent = spent};
    double left = standing_time_left(&pace);
    free(ends.times);
    free(ages);
    return left;
}
