/* search.c - the table of algorithms, the default point, and what all algorithms share. */
#include "search/search.h"

#include "search/algorithm.h"
#include "search/lattice.h"

#include <math.h>

enum { REDRAWS = 1000 }; /* a space that forbids more than that is as good as empty */

static const struct algorithm *const algorithms[] = {
    &random_algorithm, &sobol_algorithm, &lhs_algorithm, &grid_algorithm, &list_algorithm, NULL,
};

const char *const *search_names(void)
{
    static const char *const names[] = {"random", "sobol", "lhs", "grid", "list", NULL};
    return names;
}

static const struct algorithm *find(const char *name)
{
    const struct algorithm *const *at = algorithms;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

int search_check(const struct search_settings *settings, const struct space *space, struct err *e)
{
    const struct algorithm *algorithm = find(settings->algorithm);
    if (!algorithm) {
        const char *nearest = str_nearest(settings->algorithm, search_names());
        return err_set(e, ERR_USER, "unknown algorithm '%s': %s %s?", settings->algorithm,
                       nearest ? "did you mean" : "how about", nearest ? nearest : "random");
    }
    return algorithm->check ? algorithm->check(settings, space, e) : 0;
}

struct search *search_create(const struct search_settings *settings, const struct space *space)
{
    const struct algorithm *algorithm = find(settings->algorithm);
    if (!algorithm)
        BUG("no algorithm '%s'", settings->algorithm);
    struct search *search = memory_new(1, sizeof *search);
    *search = (struct search){
        .settings = settings,
        .space = space,
        .algorithm = algorithm,
        .units = memory_new(space->count, sizeof(double)),
    };
    double *first = memory_new(space->count, sizeof *first);
    if (!algorithm->only_listed && space_default(space, first))
        search->first = first;
    else
        free(first);
    if (algorithm->create)
        algorithm->create(search);
    return search;
}

void search_free(struct search *search)
{
    if (!search)
        return;
    if (search->algorithm->free)
        search->algorithm->free(search);
    free(search->first);
    free(search->units);
    free(search);
}

enum search_answer search_ask(struct search *search, double *point)
{
    enum search_answer answer = SEARCH_POINT;
    if (search->first && search->asked == 0)
        memcpy(point, search->first, search->space->count * sizeof *point);
    else
        answer = search->algorithm->ask(search, search->asked - (search->first != NULL), point);
    search->asked += answer == SEARCH_POINT;
    return answer;
}

uint64_t search_asked(const struct search *search)
{
    return search->asked;
}

void search_replay(struct search *search, const double *point)
{
    (void)point; /* what it was follows from its number; an algorithm that learns may differ */
    bool is_first = search->first && search->asked == 0;
    if (!is_first && search->algorithm->replay)
        search->algorithm->replay(search, search->asked - (search->first != NULL));
    search->asked++;
}

void search_tell(struct search *search, uint64_t k, const struct search_result *result)
{
    if (search->algorithm->tell)
        search->algorithm->tell(search, k, result);
}

double search_total(const struct search *search)
{
    double own = search->algorithm->total ? search->algorithm->total(search) : INFINITY;
    return own + (search->first != NULL);
}

/* ---- what algorithms share ---- */

/* Draws up to REDRAWS points; false when none is allowed. */
static bool draw(const struct space *space, struct random *random, double *units, double *point)
{
    bool allowed = false;
    for (int i = 0; i < REDRAWS && !allowed; i++) {
        for (size_t at = 0; at < space->count; at++)
            units[at] = random_unit(random);
        space_point(space, units, point);
        allowed = space_allowed(space, point);
    }
    return allowed;
}

enum search_answer algorithm_draw(struct search *search, struct random *random, double *point)
{
    return draw(search->space, random, search->units, point) ? SEARCH_POINT : SEARCH_END;
}

enum search_answer algorithm_place(struct search *search, struct random *random, double *point)
{
    space_point(search->space, search->units, point);
    if (space_allowed(search->space, point))
        return SEARCH_POINT;
    return algorithm_draw(search, random, point);
}

/* ---- an empty space ---- */

static bool draws_one(const struct space *space)
{
    struct random random;
    double *units = memory_new(space->count, sizeof *units);
    double *point = memory_new(space->count, sizeof *point);
    random_seed(&random, 1, 0);
    bool allowed = draw(space, &random, units, point);
    free(units);
    free(point);
    return allowed;
}

bool search_has_point(const struct space *space)
{
    if (space->forbidden_count == 0)
        return true;
    /* What is forbidden names no values of a range without steps: one point of it is enough. */
    struct lattice lattice;
    lattice_open(&lattice, space, 1);
    bool small = lattice_is_small(&lattice);
    bool has_point = small && lattice_count(&lattice, 1) > 0;
    lattice_close(&lattice);
    return small ? has_point : draws_one(space);
}
