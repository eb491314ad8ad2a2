/*
 * pbt.c - population-based training.
 *
 * M. Jaderberg, V. Dalibard, S. Osindero, W. M. Czarnecki and others, "Population based training of
 * neural networks", 2017. Each trial is one interval of training of one member of a population.
 * When it has ended, the member's next trial continues from its checkpoint with the same
 * parameters, unless the member is one of the worst: then it continues from the checkpoint of one
 * of the best, with that member's parameters changed a little (exploit and explore).
 *
 * There is no barrier. Members take their turns in the order in which their trials end: the first
 * `population` trials are the first of each member, and trial number population + j belongs to the
 * member whose trial was the j-th to end. So the past alone determines which trial belongs to which
 * member. A point of the user's own takes the next turn, and that member continues with it.
 */
#include "search/breed.h"

#include <math.h>

enum { TRIES = 20 }; /* attempts to change a point into an allowed one */

enum { POPULATION, EXPLOIT, RESAMPLE, PERTURB };

static const struct option options[] = {
    [POPULATION] = OPTION_WHOLE("population", 2, 10000, 20,
                                "number of members, each trained by one trial after another: at "
                                "least as many as there are workers"),
    [EXPLOIT] =
        OPTION_NUMBER("exploit", 0, 0.5, 0.25,
                      "this fraction of the members, the worst, continue from one of as many best"),
    [RESAMPLE] = OPTION_NUMBER(
        "resample", 0, 1, 0.25,
        "probability that a parameter is drawn again when a member continues from another"),
    [PERTURB] = OPTION_NUMBER("perturb", 0, 10, 0.2,
                              "otherwise it grows or shrinks by this fraction of itself"),
    {0},
};

/* What is known of a member: its last trial that ended. */
struct member {
    uint32_t index;
    uint32_t entry;
    enum { VALID, VIOLATING, FAILED, NEW } class; /* VALID is the best; NEW: none has ended */
    double value;                                 /* within a class, smaller is better */
};

struct pbt {
    size_t size; /* number of members */
    struct member *members;
    uint32_t *owners; /* the member that owns entry earlier + i */
    size_t owner_count, owner_capacity;
    size_t seen;            /* number of results that the members know */
    struct member *ranking; /* scratch space */
    double *genome;
};

/* ---- which trial belongs to which member ---- */

static struct member standing_of(const struct past *past, uint32_t index, uint32_t entry)
{
    if (past->states[entry] != PAST_GOOD)
        return (struct member){index, entry, FAILED, 0};
    if (past->violations[entry] > 0)
        return (struct member){index, entry, VIOLATING, past->violations[entry]};
    return (struct member){index, entry, VALID, past->scores[entry * past->objectives]};
}

/*
 * The member whose turn a trial is; the result that frees the member must be known. A point of the
 * user's own may begin while all members are busy, and end before any of them: it has no turn, and
 * goes to a member by its number.
 */
static uint32_t owner_of(const struct pbt *p, const struct past *past, size_t trial)
{
    if (trial < p->size)
        return (uint32_t)trial;
    size_t before = past->told[past->earlier + trial - p->size] - past->earlier;
    return before < trial ? p->owners[before] : (uint32_t)(trial % p->size);
}

/* True when the trial has a member: it is one of the first, or the result before it is known. */
static bool has_turn(const struct pbt *p, const struct past *past, size_t trial)
{
    return trial < p->size || trial - p->size < past->told_count - past->earlier;
}

static void note_owners(struct pbt *p, const struct past *past)
{
    size_t trials = past->count - past->earlier;
    p->owners = memory_grow(p->owners, &p->owner_capacity, trials + 1, sizeof *p->owners);
    for (; p->owner_count < trials && has_turn(p, past, p->owner_count); p->owner_count++)
        p->owners[p->owner_count] = owner_of(p, past, p->owner_count);
}

/* Brings the members up to date, as far as the owners of the results are known. */
static void update(struct pbt *p, const struct past *past)
{
    p->seen = p->seen < past->earlier ? past->earlier : p->seen;
    note_owners(p, past);
    for (; p->seen < past->told_count; p->seen++) {
        uint32_t entry = past->told[p->seen];
        if (entry - past->earlier >= p->owner_count)
            return;
        uint32_t owner = p->owners[entry - past->earlier];
        p->members[owner] = standing_of(past, owner, entry);
    }
}

static int compare(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/*
 * The member from which this one continues: itself, or, if it is one of the worst or has failed,
 * one of the best. NULL: there is none to continue from.
 */
static const struct member *leader_of(const struct search *search, struct random *random,
                                      const struct member *member)
{
    struct pbt *p = search->state;
    size_t known = 0, place = 0, leaders = 0;
    for (size_t i = 0; i < p->size; i++)
        if (p->members[i].class != NEW)
            p->ranking[known++] = p->members[i];
    qsort(p->ranking, known, sizeof *p->ranking, compare);
    while (p->ranking[place].index != member->index)
        place++;
    double exploit = algorithm_option(search, EXPLOIT);
    size_t share = (size_t)(exploit * (double)known);
    share = share == 0 && exploit > 0 && known > 1 ? 1 : share;
    if (place + share < known && member->class != FAILED)
        return member;
    share = share == 0 ? 1 : share; /* a failed member must continue from some other */
    while (leaders < share && leaders < known && p->ranking[leaders].class != FAILED)
        leaders++;
    return leaders > 0 ? &p->ranking[random_below(random, leaders)] : NULL;
}

/* ---- exploring ---- */

/* A number times 1 - part or 1 + part; whole numbers and ordered values move by at least one. */
static double perturbed(const struct parameter *parameter, struct random *random, double value,
                        double part)
{
    bool up = random_below(random, 2) == 1;
    if (parameter->kind == PARAMETER_CHOICE)
        return value;
    if (parameter->kind == PARAMETER_ORDERED) {
        double to = up ? value + 1 : value - 1;
        return fmin(fmax(to, 0), (double)parameter->value_count - 1);
    }
    double to = up ? value * (1 + part) : value * (1 - part);
    double least = parameter->step > 0 ? parameter->step : parameter->kind == PARAMETER_INT;
    if (fabs(to - value) < least)
        to = up ? value + least : value - least;
    to = fmin(fmax(to, parameter->low), parameter->high);
    return space_at(parameter, space_unit(parameter, to));
}

static void explore(const struct search *search, struct random *random)
{
    struct pbt *p = search->state;
    double resample = algorithm_option(search, RESAMPLE), part = algorithm_option(search, PERTURB);
    for (size_t i = 0; i < search->space->count; i++) {
        const struct parameter *parameter = &search->space->parameters[i];
        if (!algorithm_varies(parameter))
            continue;
        p->genome[i] = random_unit(random) < resample
                           ? space_at(parameter, random_unit(random))
                           : perturbed(parameter, random, p->genome[i], part);
    }
}

/* The leader's point, changed; unchanged if none of many changes is allowed. */
static void explore_from(const struct search *search, struct random *random, const double *leader,
                         double *point)
{
    struct pbt *p = search->state;
    for (int i = 0; i < TRIES; i++) {
        breed_copy(search->space, random, leader, p->genome);
        explore(search, random);
        if (breed_finish(search->space, random, p->genome, point))
            return;
    }
    memcpy(point, leader, search->space->count * sizeof *point);
}

/* In a small space, several members may begin with the same point. */
static enum search_answer first(struct search *search, uint64_t k, struct random *random,
                                double *point)
{
    enum search_answer answer = algorithm_even(search, k, random, point);
    return answer == SEARCH_END ? algorithm_draw(search, random, point) : answer;
}

static enum search_answer ask_pbt(struct search *search, uint64_t k, double *point)
{
    struct pbt *p = search->state;
    const struct past *past = &search->past;
    struct random random;
    size_t trial = past->count - past->earlier;
    update(p, past);
    algorithm_random(search, k, &random);
    if (trial < p->size)
        return first(search, k, &random, point);
    if (!has_turn(p, past, trial))
        return SEARCH_WAIT;
    const struct member *member = &p->members[owner_of(p, past, trial)];
    const struct member *leader = leader_of(search, &random, member);
    if (!leader)
        return algorithm_draw(search, &random, point);
    search->origin = (int64_t)(leader->entry - past->earlier);
    if (leader->index == member->index)
        memcpy(point, past_point(past, leader->entry), past->width * sizeof *point);
    else
        explore_from(search, &random, past_point(past, leader->entry), point);
    return SEARCH_POINT;
}

/* A later trial may continue from the last ended trial of each member. */
static bool needs_pbt(struct search *search, uint64_t k)
{
    struct pbt *p = search->state;
    const struct past *past = &search->past;
    update(p, past);
    if (k >= p->owner_count)
        return true; /* its owner will be known later */
    const struct member *member = &p->members[p->owners[k]];
    return member->class != NEW && member->entry == past->earlier + k;
}

/* ---- life cycle ---- */

/*
 * A reproducible search does not know the results of the last `lag` trials: with no more members
 * than that, no member could ever continue.
 */
static int check_pbt(const struct search_settings *settings, const struct space *space,
                     struct err *e)
{
    (void)space;
    double size = option_value(&options[POPULATION], algorithm_given(settings, POPULATION));
    uint64_t lag = settings->lag ? settings->lag : SEARCH_LAG;
    if (settings->objectives > 1)
        return err_set(e, ERR_USER,
                       "pbt ranks its members by one score, but this study has several");
    if (!settings->reproducible || (double)lag < size)
        return 0;
    return err_set(
        e, ERR_USER,
        "a reproducible pbt needs more members than `lag`, which is %llu, but its population is %g",
        (unsigned long long)lag, size);
}

static void create_pbt(struct search *search)
{
    struct pbt *p = search->state = memory_new(1, sizeof *p);
    p->size = (size_t)algorithm_option(search, POPULATION);
    p->members = memory_new(p->size, sizeof *p->members);
    p->ranking = memory_new(p->size, sizeof *p->ranking);
    p->genome = memory_new(search->space->count, sizeof *p->genome);
    for (size_t i = 0; i < p->size; i++)
        p->members[i].class = NEW;
}

static void destroy_pbt(struct search *search)
{
    struct pbt *p = search->state;
    free(p->members);
    free(p->ranking);
    free(p->owners);
    free(p->genome);
    free(p);
}

/* Members continue as long as there is budget, even in a small space. */
static double total_pbt(const struct search *search)
{
    (void)search;
    return INFINITY;
}

const struct algorithm pbt_algorithm = {
    .about = "population-based training: trials continue from checkpoints of the best",
    .learns = true,
    .options = options,
    .check = check_pbt,
    .create = create_pbt,
    .free = destroy_pbt,
    .ask = ask_pbt,
    .needs = needs_pbt,
    .total = total_pbt,
};
