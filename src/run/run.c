/* run.c - a study from its begin to its end. */
#include "earlier/earlier.h"
#include "run/driver.h"
#include "run/role.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* The ranks 1 and up that run in this process, and what they share. */
struct crew {
    unsigned count; /* of workers; in an MPI job they are elsewhere, and the rest is NULL */
    int size;       /* of all ranks */
    struct machine_slot *slots;
    struct helper *helper;       /* NULL when the model is a function */
    struct container *container; /* of the trials; NULL: none */
    struct worker **workers;
    struct role_server *servers; /* by rank */
};

static void crew_free(struct crew *crew)
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

/*
 * The image is made ready by whoever holds the study; in an MPI job others find it there. Of a new
 * study that is before its journal: what is wrong with an image leaves no study behind.
 */
static int prepare_container(struct crew *crew, const char *dir, struct err *e)
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
    return err_set(e, ERR_USER,
                   "a trial of %llu ranks needs as many workers, and there %s %u: ask for more by "
                   "-n %llu, or by --mpi %llu where other nodes can help",
                   most, workers == 1 ? "is" : "are", workers, most, most);
}

/* The steering program has the last channel to the helper. */
static struct steer *create_steer(struct driver *driver, const struct crew *crew)
{
    const struct run_options *options = driver->options;
    struct steer_setup setup = {.study = driver->study,
                                .dir = driver->dir,
                                .journal = options->journal,
                                .search = driver->search,
                                .helper = options->mpi ? options->helper : crew->helper,
                                .channel = crew->count + 1,
                                .trials = options->trials,
                                .workers = crew->count,
                                .owner = driver_steer_owner(driver)};
    if (options->mpi || driver->study->model.function)
        setup.channel = 1;
    return steer_create(&setup);
}

static int crew_create(struct crew *crew, const struct study *study,
                       const struct run_options *options, const char *dir, struct err *e)
{
    *crew = (struct crew){.count = options->workers};
    if (container_wanted(study) && container_open(&crew->container, study, dir, e))
        return e->code;
    if (options->mpi) {
        crew->size = comm_size(options->mpi);
        crew->count = (unsigned)balance_workers(&options->rules, crew->size);
        return check_count(study, crew->count, e);
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
    unsigned channels = (study->model.function ? 0 : crew->count) + (study_steers(study) != NULL);
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

/* A copy of the study for people. Its relative paths begin elsewhere, so it says how to run it. */
static void write_copy(const char *path, const struct study *study, struct err *e)
{
    struct str text = {0};
    static const char special[] = " '\"\\$`\t\n"; /* would need quotes */
    if (!strpbrk(path, special) && !strpbrk(study->model.folder, special))
        str_printf(&text,
                   "# A copy of the study; the journal has its own. To run it anew:\n"
                   "#     wick run %s --folder %s\n",
                   path, study->model.folder);
    str_printf(&text, "%s\n", study->text);
    str_write_file(path, text.text, text.length, e);
    str_free(&text);
}

/* Empties DIR/tmp of what a killed run left, or makes it. */
static int prepare_folder(const char *dir, const struct study *study, struct err *e)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_TMP);
    if (mkdir(path.text, 0777) != 0 && errno != EEXIST)
        err_system(e, "cannot make %s", path.text);
    DIR *tmp = e->code ? NULL : opendir(path.text);
    for (struct dirent *entry; tmp && (entry = readdir(tmp));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(tmp), entry->d_name, 0);
    if (tmp)
        closedir(tmp);
    study_path(&path, dir, STUDY_COPY);
    if (!e->code && access(path.text, F_OK) != 0)
        write_copy(path.text, study, e);
    str_free(&path);
    return e->code;
}

/* Runs driver and workers as ranks until all have stopped. */
static int run_ranks(struct driver *driver, const struct crew *crew, struct err *e)
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

static int open_journal(struct journal_writer **writer, const struct study *study,
                        const struct run_options *options, struct err *e)
{
    return options->journal ? journal_open(writer, options->journal, e)
                            : journal_create(writer, options->dir, study, e);
}

/* Trials run in another folder, so the study's folder must have a name from the root. */
static char *absolute(const char *dir)
{
    struct str path = {0};
    char *here = dir[0] == '/' ? NULL : getcwd(NULL, 0);
    if (here)
        str_printf(&path, "%s/", here);
    free(here);
    str_add(&path, dir);
    return path.text;
}

/* What a new study may not find in its folder is found now, and not in a job that has waited. */
static int check_checkpoints(const struct study *study, const char *dir, struct err *e)
{
    struct keeper *keeper = NULL;
    if (study->model.function)
        return 0;
    if (keeper_start(&keeper, dir, true, NULL, NULL, e))
        return e->code;
    keeper_stop(keeper, true);
    return 0;
}

int run_prepare(const struct study *study, const char *dir, uint64_t trials, double time,
                const struct earlier *earlier, struct err *e)
{
    struct journal_writer *journal;
    if (journal_create(&journal, dir, study, e))
        return e->code;
    double now = journal_began(journal);
    char *path = absolute(dir);
    int failed = prepare_folder(path, study, e);
    if (!failed)
        failed = check_checkpoints(study, path, e);
    if (!failed)
        failed = earlier_begin(earlier, &study->space, NULL, journal, path, e);
    if (!failed)
        journal_opened(journal, now, 0, trials, time);
    struct err late = {0};
    if (journal_close(journal, now, failed ? END_NONE : END_PREPARED, &late) && !failed) {
        *e = late;
        failed = e->code;
    }
    free(path);
    return failed;
}

static bool has_study(const char *dir)
{
    struct str path = {0};
    bool found = access(study_path(&path, dir, STUDY_JOURNAL), F_OK) == 0;
    str_free(&path);
    return found;
}

int run_study(const struct study *study, const struct run_options *options,
              const struct run_observer *observer, struct run_progress *progress, struct err *e)
{
    struct journal_writer *journal = NULL;
    struct crew crew = {0};
    struct driver driver = {0};
    char *dir = absolute(options->dir);

    /* Workers, and the helper that starts programs: forked before there is any thread. */
    int failed = crew_create(&crew, study, options, dir, e);

    if (!failed && !has_study(dir))
        failed = prepare_container(&crew, dir, e);

    /* The folder is ours from here on: nobody else can write the journal. */
    if (!failed)
        failed = open_journal(&journal, study, options, e);
    if (!failed)
        failed = prepare_folder(dir, study, e);
    if (!failed)
        failed = prepare_container(&crew, dir, e);

    /* The search, brought to where an earlier run ended. */
    if (!failed)
        failed = driver_create(&driver, study, options, observer, journal, dir, crew.count, e);

    if (!failed && study_steers(study))
        driver.steer = create_steer(&driver, &crew);
    if (crew.container)
        driver.progress.runtime = container_runtime(crew.container);

    /* The study itself: suggestions out, results in, until a budget is used up. */
    if (!failed)
        failed = run_ranks(&driver, &crew, e);
    if (!failed && driver.failure.code) {
        *e = driver.failure;
        failed = e->code;
    }

    /* The last lines reach the disk, then the user. */
    struct err late = {0};
    enum journal_end end = failed ? END_NONE : driver.progress.end;
    if (journal && journal_close(journal, driver.clock.ended, end, &late) && !failed) {
        *e = late;
        failed = e->code;
    }
    if (driver.comm && !late.code) /* also when workers were lost: what ended is on disk */
        driver_end(&driver);
    *progress = driver.progress;
    if (driver.search)
        driver_free(&driver);
    crew_free(&crew);
    free(dir);
    return failed;
}
