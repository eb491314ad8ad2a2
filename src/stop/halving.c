/* halving.c - rungs, and who goes on from them. */
#include "stop/halving.h"

#include <math.h>

/* The smallest of some numbers is the first. */
struct heap {
    double *items;
    size_t count, capacity;
};

static void heap_push(struct heap *heap, double number)
{
    heap->items = memory_grow(heap->items, &heap->capacity, heap->count + 1, sizeof *heap->items);
    size_t at = heap->count++;
    for (; at > 0 && heap->items[(at - 1) / 2] > number; at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = number;
}

static double heap_pop(struct heap *heap)
{
    double *items = heap->items, first = items[0], last = items[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && items[child + 1] < items[child])
            child++;
        if (items[child] >= last)
            break;
        items[at] = items[child];
    }
    items[at] = last;
    return first;
}

/* All values that have reached it. */
struct rung {
    struct heap best; /* the best 1/reduction of them, negated: the worst of these is the first */
    struct heap rest;
};

/* The share of the best grows one by one, so a value changes sides once for each that comes. */
static bool goes_on(struct rung *rung, double value, double reduction)
{
    if (rung->best.count > 0 && value < -rung->best.items[0]) {
        heap_push(&rung->rest, -heap_pop(&rung->best));
        heap_push(&rung->best, -value);
    } else {
        heap_push(&rung->rest, value);
    }
    double share = (double)(rung->best.count + rung->rest.count) / reduction;
    while ((double)rung->best.count < share)
        heap_push(&rung->best, -heap_pop(&rung->rest));
    return value <= -rung->best.items[0] && value < INFINITY;
}

/* ---- the ladder ---- */

int halving_check(const double *options, struct err *e)
{
    double from = options[HALVING_FROM], to = options[HALVING_TO];
    if (isnan(to) || from < to)
        return 0;
    return err_set(e, ERR_USER,
                   "a trial has no rung to be stopped at from step %g to %g: 'from' must be less "
                   "than 'to'",
                   from, to);
}

void ladder_free(struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->count; i++) {
        free(ladder->rungs[i].best.items);
        free(ladder->rungs[i].rest.items);
    }
    free(ladder->rungs);
}

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

bool ladder_report(struct ladder *ladder, struct climber *climber, double value)
{
    double step = (double)climber->trial.step;
    uint32_t reached = climber->rung;
    for (double next; (next = step_of(ladder, reached)) <= step && next < ladder->last;)
        reached++;
    if (reached == climber->rung)
        return false;
    climber->rung = reached;
    return !goes_on(rung_of(ladder, reached - 1), value, ladder->reduction);
}
