/* halving.c - rungs, and which trials continue from them. */
#include "stop/halving.h"

#include <math.h>

/* A value and, where that matters, the trial that has it. */
struct item {
    double value;
    uint64_t trial;
};

/* The smallest value is first; among equal values, that of the oldest trial. */
struct heap {
    struct item *items;
    size_t count, capacity;
};

static bool is_before(struct item a, struct item b)
{
    return a.value < b.value || (a.value == b.value && a.trial < b.trial);
}

static void heap_push(struct heap *heap, struct item item)
{
    heap->items = memory_grow(heap->items, &heap->capacity, heap->count + 1, sizeof *heap->items);
    size_t at = heap->count++;
    for (; at > 0 && is_before(item, heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = item;
}

static struct item heap_pop(struct heap *heap)
{
    struct item *items = heap->items, first = items[0], last = items[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && is_before(items[child + 1], items[child]))
            child++;
        if (!is_before(items[child], last))
            break;
        items[at] = items[child];
    }
    items[at] = last;
    return first;
}

/* All values that have reached a rung. */
struct rung {
    struct heap best; /* the best 1/reduction of them, negated: the worst of these is first */
    struct heap rest;
    struct heap paused; /* trials that are paused here, and some that no longer are */
};

static void push_best(struct rung *rung, double value)
{
    heap_push(&rung->best, (struct item){-value, 0});
}

static double pop_best(struct rung *rung)
{
    return -heap_pop(&rung->best).value;
}

static double worst_of_best(const struct rung *rung)
{
    return -rung->best.items[0].value;
}

/* Each new value adds at most one to the best, so at most one value changes sides each way. */
static bool goes_on(struct rung *rung, double value, double reduction)
{
    if (rung->best.count > 0 && value < worst_of_best(rung)) {
        heap_push(&rung->rest, (struct item){pop_best(rung), 0});
        push_best(rung, value);
    } else {
        heap_push(&rung->rest, (struct item){value, 0});
    }
    double share = (double)(rung->best.count + rung->rest.count) / reduction;
    while ((double)rung->best.count < share)
        push_best(rung, heap_pop(&rung->rest).value);
    return value <= worst_of_best(rung) && value < INFINITY;
}

/* ---- the ladder ---- */

static double step_of(const struct ladder *ladder, uint32_t rung)
{
    return round(ladder->first * pow(ladder->reduction, rung));
}

static struct rung *rung_of(struct ladder *ladder, uint32_t index)
{
    size_t before = ladder->count;
    if (index >= before) {
        ladder->rungs =
            memory_grow(ladder->rungs, &ladder->capacity, index + 1u, sizeof *ladder->rungs);
        ladder->count = index + 1u;
        memset(ladder->rungs + before, 0, (ladder->count - before) * sizeof *ladder->rungs);
    }
    return &ladder->rungs[index];
}

static void free_ladder(struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->count; i++) {
        free(ladder->rungs[i].best.items);
        free(ladder->rungs[i].rest.items);
        free(ladder->rungs[i].paused.items);
    }
    free(ladder->rungs);
}

static bool waits_at(const struct numbered *trials, uint64_t trial, size_t rung)
{
    const struct climber *climber = numbered_find(trials, trial);
    return climber && climber->trial.paused && climber->rung == rung + 1;
}

/* The paused trial to promote next; 0: none. */
static uint64_t next_of(struct ladder *ladder, const struct numbered *trials)
{
    for (size_t i = ladder->count; i-- > 0;) {
        struct rung *rung = &ladder->rungs[i];
        while (rung->paused.count > 0 && !waits_at(trials, rung->paused.items[0].trial, i))
            heap_pop(&rung->paused);
        if (rung->paused.count > 0 && rung->paused.items[0].value <= worst_of_best(rung))
            return rung->paused.items[0].trial;
    }
    return 0;
}

/* ---- brackets ---- */

int halving_check(const double *options, struct err *e)
{
    double from = options[HALVING_FROM], to = options[HALVING_TO];
    if (isnan(to) || from < to)
        return 0;
    return err_set(e, ERR_USER,
                   "there is no rung from step %g to step %g: 'from' must be less than 'to'", from,
                   to);
}

struct halving *halving_create(struct stop *stop, size_t brackets)
{
    struct halving *h = stop->state = memory_new(1, sizeof *h);
    h->count = brackets;
    h->brackets = memory_new(brackets, sizeof *h->brackets);
    h->shares = memory_new(brackets, sizeof *h->shares);
    return h;
}

void halving_free(struct stop *stop)
{
    struct halving *h = stop->state;
    for (size_t i = 0; i < h->count; i++)
        free_ladder(&h->brackets[i]);
    free(h->brackets);
    free(h->shares);
    free(h);
}

/* Multiples of the golden ratio spread evenly: any run of trials nearly matches the shares. */
static struct ladder *ladder_of(struct halving *h, uint64_t trial)
{
    double whole, unit = modf((double)trial * 0.61803398874989485, &whole);
    size_t bracket = 0;
    while (bracket + 1 < h->count && unit >= h->shares[bracket])
        bracket++;
    return &h->brackets[bracket];
}

/* A trial that reports rarely may pass several rungs at once: only the highest of them counts. */
bool halving_report(struct stop *stop, struct stop_trial *trial, double value)
{
    struct climber *climber = (struct climber *)trial;
    struct ladder *ladder = ladder_of(stop->state, trial->id);
    uint32_t reached = climber->rung;
    double step = (double)trial->step;
    for (double next; (next = step_of(ladder, reached)) <= step && next < ladder->last;)
        reached++;
    if (reached == climber->rung)
        return false;
    climber->rung = reached;
    climber->value = value;
    return !goes_on(rung_of(ladder, reached - 1), value, ladder->reduction);
}

void halving_pause(struct stop *stop, struct stop_trial *trial)
{
    const struct climber *climber = (const struct climber *)trial;
    struct ladder *ladder = ladder_of(stop->state, trial->id);
    if (climber->rung > 0 && climber->value < INFINITY)
        heap_push(&rung_of(ladder, climber->rung - 1)->paused,
                  (struct item){climber->value, trial->id});
}

uint64_t halving_next(struct stop *stop)
{
    struct halving *h = stop->state;
    uint64_t trial = 0;
    for (size_t i = 0; i < h->count && trial == 0; i++)
        trial = next_of(&h->brackets[i], &stop->trials);
    return trial;
}
