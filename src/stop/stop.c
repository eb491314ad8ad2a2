/* stop.c - the table of stoppers, and what all of them share. */
#include "stop/stopper.h"

#include <math.h>

#define NAME_OF(name)    #name,
#define ADDRESS_OF(name) &name##_stopper,
static const char *const names[] = {STOPPERS(NAME_OF) NULL};
static const struct stopper *const stoppers[] = {STOPPERS(ADDRESS_OF)};

const char *const *stop_names(void)
{
    return names;
}

static size_t index_of(const char *name)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    BUG("no stopper '%s'", name);
}

static const struct stopper *find(const char *name)
{
    return stoppers[index_of(name)];
}

const char *stop_about(const char *name)
{
    return find(name)->about;
}

const struct option *stop_options(const char *name)
{
    return find(name)->options;
}

static void fill_options(const struct stopper *stopper, const double *given, double *options)
{
    for (size_t i = 0; stopper->options[i].name; i++)
        options[i] = option_value(&stopper->options[i], given[i]);
}

int stop_check(const struct stop_settings *settings, struct err *e)
{
    const struct stopper *stopper = find(settings->name);
    double options[STOP_OPTIONS];
    fill_options(stopper, settings->options, options);
    return stopper->check ? stopper->check(options, e) : 0;
}

struct stop *stop_create(const struct stop_settings *settings, bool maximize)
{
    struct stop *stop = memory_new(1, sizeof *stop);
    stop->name = names[index_of(settings->name)]; /* the given one may be gone before the stopper */
    stop->stopper = find(stop->name);
    stop->maximize = maximize;
    stop->trials.size = stop->stopper->trial_size;
    fill_options(stop->stopper, settings->options, stop->options);
    if (stop->stopper->create)
        stop->stopper->create(stop);
    return stop;
}

void stop_free(struct stop *stop)
{
    if (!stop)
        return;
    if (stop->stopper->free)
        stop->stopper->free(stop);
    numbered_free(&stop->trials);
    free(stop);
}

const char *stop_name(const struct stop *stop)
{
    return stop->name;
}

enum stop_answer stop_report(struct stop *stop, uint64_t id, uint64_t step, double value)
{
    struct stop_trial *trial = numbered_get(&stop->trials, id);
    if (!trial->stopped && step > trial->step) {
        trial->step = step;
        value = stop->maximize ? -value : value;
        trial->stopped = stop->stopper->report(stop, trial, isnan(value) ? INFINITY : value);
    }
    return trial->stopped && step >= trial->step ? STOP_NOW : STOP_GO_ON;
}

bool stop_pause(struct stop *stop, uint64_t id)
{
    struct stop_trial *trial = numbered_find(&stop->trials, id);
    if (!stop->stopper->pause || !trial || !trial->stopped)
        return false;
    trial->paused = true;
    stop->stopper->pause(stop, trial);
    return true;
}

uint64_t stop_due(struct stop *stop)
{
    return stop->stopper->next ? stop->stopper->next(stop) : 0;
}

void stop_continue(struct stop *stop, uint64_t id)
{
    struct stop_trial *trial = numbered_find(&stop->trials, id);
    if (trial && trial->paused)
        trial->paused = trial->stopped = false;
}

uint64_t stop_promote(struct stop *stop)
{
    uint64_t trial = stop_due(stop);
    if (trial)
        stop_continue(stop, trial);
    return trial;
}

void stop_ended(struct stop *stop, uint64_t id, bool good)
{
    struct stop_trial *trial = numbered_find(&stop->trials, id);
    if (!trial)
        return;
    if (stop->stopper->ended)
        stop->stopper->ended(stop, trial, good);
    numbered_remove(&stop->trials, id);
}
