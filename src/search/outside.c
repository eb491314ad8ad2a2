/*
 * outside.c - the suggestions of a program that is not part of Wick, in their order.
 *
 * The code that runs the study talks to the program and offers its points: see search_offer(). The
 * program learns of the results in its own way, so nothing is learned here.
 */
#include "search/algorithm.h"

struct outside {
    double *points; /* those from `next` on are waiting */
    size_t next, count, capacity;
    bool closed;
};

static void create_outside(struct search *search)
{
    search->state = memory_new(1, sizeof(struct outside));
}

static void destroy_outside(struct search *search)
{
    struct outside *outside = search->state;
    free(outside->points);
    free(outside);
}

static struct outside *outside_of(struct search *search)
{
    if (search->algorithm != &outside_algorithm)
        BUG("the %s search takes no offers", search->settings->algorithm);
    return search->state;
}

void search_offer(struct search *search, const double *point)
{
    struct outside *outside = outside_of(search);
    size_t width = search->space->count;
    if (outside->next == outside->count)
        outside->next = outside->count = 0;
    outside->points = memory_grow(outside->points, &outside->capacity, (outside->count + 1) * width,
                                  sizeof *point);
    memcpy(outside->points + outside->count++ * width, point, width * sizeof *point);
}

size_t search_offered(struct search *search)
{
    const struct outside *outside = outside_of(search);
    return outside->count - outside->next;
}

void search_close(struct search *search)
{
    outside_of(search)->closed = true;
}

static enum search_answer ask_outside(struct search *search, uint64_t k, double *point)
{
    struct outside *outside = search->state;
    size_t width = search->space->count;
    (void)k;
    if (outside->next == outside->count)
        return outside->closed ? SEARCH_END : SEARCH_WAIT;
    memcpy(point, outside->points + outside->next++ * width, width * sizeof *point);
    return SEARCH_POINT;
}

const struct algorithm outside_algorithm = {
    .about = "a program of your own",
    .only_listed = true,
    .create = create_outside,
    .free = destroy_outside,
    .ask = ask_outside,
};
