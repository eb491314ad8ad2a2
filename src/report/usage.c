/* usage.c - how busy the workers were, computed from every try of every trial. */
#include "report/history.h"

#include <math.h>

/* Sums over the tries. */
struct sums {
    double *busy;   /* seconds of each worker */
    double *part;   /* per bin: seconds of tries that cover it partly */
    double *change; /* per bin: how many more tries cover it completely than the bin before */
    double step;
    double seconds; /* total time of all trials */
    size_t workers;
};

static size_t bin_of(const struct sums *sums, double time)
{
    double bin = time / sums->step;
    return bin <= 0 ? 0 : bin >= USAGE_BINS ? USAGE_BINS - 1 : (size_t)bin;
}

static void add_to_sums(void *self, unsigned worker, double from, double to, bool part)
{
    struct sums *sums = self;
    if (worker >= 1 && worker <= sums->workers)
        sums->busy[worker - 1] += to - from;
    if (part) /* count trials, not their ranks */
        return;
    sums->seconds += to - from;
    size_t first = bin_of(sums, from), last = bin_of(sums, to);
    if (first == last) {
        sums->part[first] += to - from;
        return;
    }
    sums->part[first] += (double)(first + 1) * sums->step - from;
    sums->part[last] += to - (double)last * sums->step;
    sums->change[first + 1] += 1;
    sums->change[last] -= 1;
}

/* The time when a trial without an end stopped: the end of the run in which it started. */
static double run_end(const struct history *history, double started)
{
    for (size_t i = history->run_count; i-- > 0;)
        if (started >= history->runs[i].from)
            return history->runs[i].to;
    return started;
}

/* Calls `visit` for every try of every trial. */
static void each_try(const struct journal *journal, const struct history *history,
                     void (*visit)(void *self, unsigned worker, double from, double to, bool part),
                     void *self)
{
    for (size_t i = 0; i < journal->count; i++) {
        const struct journal_trial *trial = &journal->trials[i];
        bool ended = trial->state != OUTCOME_RUNNING;
        double end = ended ? trial->ended : run_end(history, trial->started);
        if (end > trial->started)
            visit(self, trial->worker, trial->started, end, false);
    }
    for (size_t i = 0; i < history->try_count; i++) {
        const struct history_try *try = &history->tries[i];
        if (try->ended > try->started)
            visit(self, try->worker, try->started, try->ended, try->part);
    }
}

/* The number of seconds for which a worker with this number was present. */
static double presence(const struct history *history, size_t worker)
{
    double seconds = 0;
    for (size_t i = 0; i < history->run_count; i++)
        if (worker <= history->runs[i].last)
            seconds += history->runs[i].to - history->runs[i].from;
    return seconds;
}

/* The seconds for which workers were present, all together. */
static double presence_of_all(const struct history *history, size_t most)
{
    double seconds = 0;
    for (size_t i = 0; i < history->run_count; i++) {
        const struct history_run *run = &history->runs[i];
        seconds += fmin((double)run->workers, (double)most) * (run->to - run->from);
    }
    return seconds;
}

static size_t count_workers(const struct journal *journal, const struct history *history)
{
    uint64_t most = journal->workers;
    for (size_t i = 0; i < history->run_count; i++)
        if (history->runs[i].workers > most)
            most = history->runs[i].workers;
    for (size_t i = 0; i < journal->count; i++)
        if (journal->trials[i].worker > most)
            most = journal->trials[i].worker;
    return most < UINT16_MAX ? (size_t)most : UINT16_MAX;
}

static double share(double part, double whole)
{
    return whole > 0 ? fmin(1, part / whole) : 0;
}

void usage_measure(struct usage *usage, const struct journal *journal,
                   const struct history *history)
{
    struct sums sums = {.workers = count_workers(journal, history)};
    sums.step = fmax(journal->last_time, 1e-6) / USAGE_BINS;
    sums.busy = memory_new(sums.workers, sizeof(double));
    sums.part = memory_new(USAGE_BINS, sizeof(double));
    sums.change = memory_new(USAGE_BINS + 1, sizeof(double));
    each_try(journal, history, add_to_sums, &sums);
    double total = 0, inside = 0;
    for (size_t i = 0; i < sums.workers; i++) {
        double there = presence(history, i + 1);
        total += sums.busy[i];
        sums.busy[i] = share(sums.busy[i], there);
    }
    for (size_t i = 0; i < USAGE_BINS; i++) {
        inside += sums.change[i];
        sums.part[i] = inside + sums.part[i] / sums.step;
    }
    *usage = (struct usage){.workers = sums.workers,
                            .busy = sums.busy,
                            .total = share(total, presence_of_all(history, sums.workers)),
                            .mean = journal->spent > 0 ? sums.seconds / journal->spent : 0,
                            .step = sums.step,
                            .running = sums.part};
    free(sums.change);
}

/* ---- busy shares by worker and time ---- */

struct grid {
    float *cells;
    size_t workers, columns;
    double step;
};

static void add_to_grid(void *self, unsigned worker, double from, double to, bool part)
{
    struct grid *grid = self;
    (void)part;
    if (worker < 1 || worker > grid->workers || from < 0)
        return;
    float *row = &grid->cells[(worker - 1) * grid->columns];
    for (size_t column = (size_t)(from / grid->step); column < grid->columns; column++) {
        double start = fmax(from, (double)column * grid->step);
        double end = fmin(to, (double)(column + 1) * grid->step);
        if (end <= start)
            break;
        row[column] += (float)((end - start) / grid->step);
    }
}

float *usage_grid(const struct usage *usage, const struct journal *journal,
                  const struct history *history, size_t columns)
{
    struct grid grid = {.workers = usage->workers, .columns = columns};
    grid.cells = memory_new(grid.workers * columns, sizeof *grid.cells);
    grid.step = fmax(journal->last_time, 1e-6) / (double)columns;
    each_try(journal, history, add_to_grid, &grid);
    return grid.cells;
}

void usage_free(struct usage *usage)
{
    free(usage->busy);
    free(usage->running);
    *usage = (struct usage){0};
}
