/* crew.c - the ranks of this process beside the driver. */
#include "run/crew.h"

#include "model/model.h"

#include <errno.h>
#include <sys/stat.h>

void crew_free(struct crew *crew)
{
    for (unsigned i = 0; crew->workers && i < crew->count; i++)
        worker_free(crew->workers[i]);
    if (crew->helper)
        helper_stop(crew->helper);
    for (int rank = 0; crew->servers && rank < crew->size; rank++)
        role_server_free(&crew->servers[rank]);
    container_close(crew->container);
    free(crew->servers);
    free(crew->workers);
    free(crew->slots);
}

int crew_prepare_container(struct crew *crew, const char *dir, struct err *e)
{
    if (!crew->container || container_runtime(crew->container)[0])
        return 0;
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return err_system(e, "cannot make the folder %s", dir);
    if (container_prepare(crew->container, e))
        return e->code;
    for (unsigned i = 0; crew->slots && i < crew->count; i++)
        crew->slots[i].container = crew->container;
    return 0;
}

/* Each rank of a trial has a worker of its own. */
static int check_count(const struct study *study, unsigned workers, struct err *e)
{
    unsigned long long most = study_most_ranks(study);
    if (most <= workers)
        return 0;
    return err_set(
        e, ERR_USER,
        "a trial of %llu ranks needs %llu workers, but only %u %s available: use -n %llu, "
        "or --mpi %llu where other nodes can help",
        most, most, workers, workers == 1 ? "is" : "are", most, most);
}

int crew_create(struct crew *crew, const struct study *study, const struct run_options *options,
                const char *dir, struct err *e)
{
    *crew = (struct crew){.count = options->workers};
    if (container_wanted(study) && container_open(&crew->container, study, dir, e))
        return e->code;
    if (options->mpi) {
        crew->size = comm_size(options->mpi);
        crew->count = (unsigned)balance_workers(&options->rules, crew->size);
        unsigned resting;
        free(role_resting(options->mpi, &options->rules, options->per_node, &resting));
        return check_count(study, crew->count - resting, e);
    }
    if (crew->count == 0)
        crew->count = (unsigned)study->workers;
    if (crew->count == 0 && machine_workers(study, &crew->count, e))
        return e->code;
    if (check_count(study, crew->count, e))
        return e->code;
    crew->slots = memory_new(crew->count, sizeof *crew->slots);
    if (machine_slots(study, crew->count, crew->slots, e))
        return e->code;
    unsigned channels = (model_kind(&study->model)->starts_programs ? crew->count : 0) +
                        (study_steers(study) != NULL);
    if (channels > 0 && helper_start(&crew->helper, channels, e))
        return e->code;
    struct balance_rules rules = driver_rules(study, options, crew->count);
    crew->size = (int)crew->count + rules.servers;
    crew->servers = memory_new((size_t)crew->size, sizeof *crew->servers);
    crew->workers = memory_new(crew->count, sizeof *crew->workers);
    for (unsigned i = 0; i < crew->count; i++) {
        struct worker_setup setup = {study, dir, &crew->slots[i], crew->helper, rules};
        crew->workers[i] = worker_create(&setup);
    }
    return 0;
}

struct steer *crew_create_steer(const struct crew *crew, struct driver *driver)
{
    const struct run_options *options = driver->options;
    struct steer_setup setup = {.study = driver->study,
                                .dir = driver->dir,
                                .journal = options->journal,
                                .search = driver->search,
                                .helper = options->mpi ? options->helper : crew->helper,
                                .channel = crew->count + 1,
                                .trials = options->trials,
                                .workers = driver->progress.workers,
                                .owner = driver_steer_owner(driver)};
    if (options->mpi || !model_kind(&driver->study->model)->starts_programs)
        setup.channel = 1;
    return steer_create(&setup);
}

int crew_run(const struct crew *crew, struct driver *driver, struct err *e)
{
    const struct run_options *options = driver->options;
    const struct comm_world *world = options->world;
    struct comm_actor first = driver_actor(driver);
    if (options->mpi) {
        comm_mpi_run(options->mpi, &first);
        return 0;
    }
    double seconds;
    struct comm_actor *actors = memory_new((size_t)crew->size, sizeof *actors);
    actors[0] = first;
    for (int rank = 1, worker = 0; rank < crew->size; rank++) {
        crew->servers[rank].rules = driver->rules;
        actors[rank] = balance_serves(&driver->rules, crew->size, rank)
                           ? role_server_actor(&crew->servers[rank])
                           : worker_actor(crew->workers[worker++]);
    }
    int failed = world ? comm_simulate(crew->size, actors, world, &seconds, e)
                       : comm_threads(crew->size, actors, e);
    free(actors);
    return failed;
}
