/*
 * median.c - stop a trial that is worse than the median of the others at the same step.
 *
 * D. Golovin, B. Solnik, S. Moitra, G. Kochanski, J. Karro, D. Sculley, "Google Vizier: a service
 * for black-box optimization", KDD 2017, 3.2.2: a trial is stopped at a step when its best value so
 * far is strictly worse than the median of the running averages, up to that step, of the trials
 * that have ended. Trials that were stopped count up to the step that they reached.
 *
 * Only the last WINDOW averages of each step are kept: a search gets better, and so does the
 * median.
 */
#include "stop/stopper.h"

#include <math.h>

enum { WINDOW = 1000 };
enum { FROM, AFTER, PERCENTILE };

static const struct option options[] = {
    [FROM] = OPTION_WHOLE("from", 1, 1e9, 1, "no trial is stopped before this step"),
    [AFTER] = OPTION_WHOLE(
        "after", 1, WINDOW, 5,
        "number of ended trials that must have reached a step before a trial is stopped there"),
    [PERCENTILE] = OPTION_NUMBER("percentile", 1, 99, 50,
                                 "a trial goes on while it is as good as this best percentage of "
                                 "the others: 25 stops more than 50"),
    {0},
};

/* The running averages of ended trials at one step. */
struct window {
    uint64_t step;
    double *sorted;
    double *recent; /* the same in the order in which they came; a ring once it is full */
    size_t count, capacity, sorted_capacity;
    size_t oldest;
};

struct average {
    uint64_t step;
    double average;
};

struct watched {
    struct stop_trial trial;
    double best, sum;
    struct average *averages;
    size_t count, capacity;
};

/* Where a number is, or belongs, among the sorted ones. */
static size_t find_place(const struct window *window, double number)
{
    size_t low = 0, high = window->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (window->sorted[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_oldest(struct window *window)
{
    size_t at = find_place(window, window->recent[window->oldest]);
    window->count--;
    memmove(window->sorted + at, window->sorted + at + 1,
            (window->count - at) * sizeof *window->sorted);
}

static void add(struct window *window, double number)
{
    size_t slot = window->count;
    if (window->count == WINDOW) {
        slot = window->oldest;
        remove_oldest(window);
        window->oldest = (window->oldest + 1) % WINDOW;
    }
    window->sorted = memory_grow(window->sorted, &window->sorted_capacity, window->count + 1,
                                 sizeof *window->sorted);
    window->recent =
        memory_grow(window->recent, &window->capacity, slot + 1, sizeof *window->recent);
    size_t at = find_place(window, number);
    memmove(window->sorted + at + 1, window->sorted + at,
            (window->count - at) * sizeof *window->sorted);
    window->sorted[at] = number;
    window->recent[slot] = number;
    window->count++;
}

/* Interpolates between the two nearest numbers, which may be infinite. */
static double percentile(const struct window *window, double percent)
{
    double place = percent / 100 * (double)(window->count - 1);
    size_t below = (size_t)place, above = below + 1 < window->count ? below + 1 : below;
    double low = window->sorted[below], high = window->sorted[above];
    double part = place - (double)below;
    return part == 0 || low == high ? low : low + part * (high - low);
}

static void create_median(struct stop *stop)
{
    struct numbered *windows = stop->state = memory_new(1, sizeof *windows);
    windows->size = sizeof(struct window);
}

static void destroy_median(struct stop *stop)
{
    struct numbered *windows = stop->state;
    struct window *window;
    struct watched *watched;
    for (size_t at = 0; (window = numbered_next(windows, &at));) {
        free(window->sorted);
        free(window->recent);
    }
    for (size_t at = 0; (watched = numbered_next(&stop->trials, &at));)
        free(watched->averages);
    numbered_free(windows);
    free(windows);
}

static bool report_median(struct stop *stop, struct stop_trial *trial, double value)
{
    struct watched *w = (struct watched *)trial;
    w->best = w->count == 0 ? value : fmin(w->best, value);
    w->sum += value;
    w->averages = memory_grow(w->averages, &w->capacity, w->count + 1, sizeof *w->averages);
    double average = w->sum / (double)(w->count + 1);
    w->averages[w->count++] = (struct average){trial->step, isnan(average) ? INFINITY : average};
    const struct window *window = numbered_find(stop->state, trial->step);
    if (!window || (double)window->count < stop->options[AFTER] ||
        (double)trial->step < stop->options[FROM])
        return false;
    return w->best > percentile(window, stop->options[PERCENTILE]);
}

static void ended_median(struct stop *stop, struct stop_trial *trial, bool good)
{
    struct watched *w = (struct watched *)trial;
    for (size_t i = 0; i < w->count && good; i++)
        add(numbered_get(stop->state, w->averages[i].step), w->averages[i].average);
    free(w->averages);
}

const struct stopper median_stopper = {
    .about = "stops trials that are worse than the median of the ended ones at the same step",
    .options = options,
    .trial_size = sizeof(struct watched),
    .create = create_median,
    .free = destroy_median,
    .report = report_median,
    .ended = ended_median,
};
