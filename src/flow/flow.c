/* flow.c - the ranks of a run: all in this process. */
#include "flow/flow.h"

#include "flow/driver.h"
#include "flow/worker.h"

#include <sched.h>

/* Programs may use all cores: how many run at a time is the number of workers. */
static void make_slots(struct machine_slot *slots, int count)
{
    for (int i = 0; i < count; i++) {
        slots[i] = (struct machine_slot){
            .worker = (unsigned)i + 1, .channel = (unsigned)i + 1, .cores = 1};
        sched_getaffinity(0, sizeof slots[i].pinned, &slots[i].pinned);
    }
}

int flow_check(struct err *e)
{
    struct outside_settings settings = {0};
    return outside_settings_read(&settings, e);
}

static int run(const struct flow_options *options, struct helper *helper,
               const struct comm_world *world, enum flow_end *end, struct err *e)
{
    size_t count = (size_t)options->workers;
    double seconds;
    struct machine_slot *slots = memory_new(count, sizeof *slots);
    struct flow_worker **workers = memory_new(count, sizeof(void *));
    struct comm_actor *actors = memory_new(count + 1, sizeof *actors);
    struct flow_driver *driver = flow_driver_create(options);
    make_slots(slots, options->workers);
    actors[0] = flow_driver_actor(driver);
    for (size_t i = 0; i < count; i++) {
        workers[i] = flow_worker_create(options, helper, &slots[i]);
        actors[i + 1] = flow_worker_actor(workers[i]);
    }
    int size = options->workers + 1;
    int result =
        world ? comm_simulate(size, actors, world, &seconds, e) : comm_threads(size, actors, e);
    *end = flow_driver_end(driver);
    for (size_t i = 0; i < count; i++)
        flow_worker_free(workers[i]);
    flow_driver_free(driver);
    free(actors);
    free(workers);
    free(slots);
    return result;
}

int flow_run_threads(const struct flow_options *options, struct helper *helper, enum flow_end *end,
                     struct err *e)
{
    return run(options, helper, NULL, end, e);
}

int flow_simulate(const struct flow_options *options, const struct comm_world *world,
                  enum flow_end *end, struct err *e)
{
    return run(options, NULL, world, end, e);
}
