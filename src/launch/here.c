/* here.c - finds the job that this process belongs to by the variables that the scheduler sets. */
#include "launch/schedulers.h"

/* The value of a variable of the scheduler; NULL if it is not set or empty. */
static const char *value_of(const char *name)
{
    const char *value = name ? getenv(name) : NULL;
    return value && *value ? value : NULL;
}

static bool is_inside(const struct scheduler *row)
{
    return value_of(row->id) && (!row->also || value_of(row->also));
}

/* A job of Wick names its scheduler; others are known by variables that only theirs sets. */
static const struct scheduler *find_here(void)
{
    const char *name = value_of("WICK_SCHEDULER");
    const struct scheduler *said = name ? scheduler_find(name) : NULL;
    if (said && value_of(said->id))
        return said;
    for (int with_proof = 1; with_proof >= 0; with_proof--)
        for (const struct scheduler *row = schedulers; row < schedulers + SCHEDULERS; row++)
            if ((row->also != NULL) == with_proof && row != &schedulers[SCHEDULER_LOCAL] &&
                is_inside(row))
                return row;
    return NULL;
}

static uint64_t count_of(const char *variable)
{
    double number;
    const char *value = value_of(variable);
    return value && str_number(value, &number) && number >= 0 && number < 1e15 ? (uint64_t)number
                                                                               : 0;
}

/* The smallest number in a text such as "64(x3),32". */
static uint64_t least_cores(const char *text)
{
    uint64_t least = 0;
    while (text && *text) {
        unsigned long long cores = strtoull(text, NULL, 10);
        if (cores > 0 && (least == 0 || cores < least))
            least = cores;
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return least;
}

static uint64_t count_nodes(const struct scheduler *row)
{
    size_t count;
    struct arena arena = {0};
    if (count_of(row->nodes))
        return count_of(row->nodes);
    nodes_of(row, false, &arena, &count);
    arena_free(&arena);
    return row == &schedulers[SCHEDULER_LOCAL] ? 1 : count;
}

/* A shell that outlived its job still has its variables, so an end that is long past is ignored. */
static double find_end(const struct scheduler *row)
{
    static const double LATE = 60; /* seconds */
    double end;
    const char *said = value_of(row->end) ? value_of(row->end) : value_of("WICK_JOB_END");
    bool counts = said && str_number(said, &end) && end > clock_wall() - LATE && end < 1e12;
    return counts ? end : 0;
}

/* Outside of an array, Grid Engine and LSF set the variable to a word that is not a task. */
static const char *find_task(const struct scheduler *row)
{
    const char *task = value_of(row->task);
    bool is_none = !task || strcmp(task, "undefined") == 0 || strcmp(task, "0") == 0;
    return is_none ? "" : task;
}

struct launch_here launch_here(void)
{
    struct launch_here here = {0};
    const struct scheduler *row = find_here();
    if (!row || !value_of(row->id))
        return here;
    here.scheduler = scheduler_name(row);
    snprintf(here.id, sizeof here.id, "%s", getenv(row->id));
    snprintf(here.task, sizeof here.task, "%s", find_task(row));
    here.end = find_end(row);
    here.restart = count_of(row->restart);
    here.nodes = count_nodes(row);
    here.cores = least_cores(value_of(row->cores));
    return here;
}

const char *const *launch_here_nodes(struct arena *arena, size_t *count)
{
    const struct scheduler *row = find_here();
    *count = 0;
    return row ? nodes_of(row, true, arena, count) : NULL;
}

const char *launch_here_launcher(void)
{
    const struct scheduler *row = find_here();
    return row ? row->launcher : NULL;
}

bool launch_is_here(const char *id, const char *task)
{
    struct launch_here here = launch_here();
    return here.scheduler && strcmp(here.id, id) == 0 && strcmp(here.task, task) == 0;
}

void launch_name(const char *scheduler, const char *id, char *text, size_t size)
{
    snprintf(text, size, "%s job %s", launch_title(scheduler), id);
}

void launch_here_name(char *text, size_t size)
{
    struct launch_here here = launch_here();
    if (size > 0)
        text[0] = 0;
    if (!here.scheduler || size == 0)
        return;
    launch_name(here.scheduler, here.id, text, size);
    size_t length = strlen(text);
    if (here.task[0])
        snprintf(text + length, size - length, ", task %s", here.task);
}
