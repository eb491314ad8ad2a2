/* run.c - a study from its start to its end. */
#include "earlier/earlier.h"
#include "model/model.h"
#include "run/crew.h"
#include "run/driver.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Empties DIR/tmp of what a killed run left, or makes it. In the folder of a new study it must be
 * empty: then it is not ours.
 */
static int empty_tmp(const char *dir, bool is_new, struct err *e)
{
    struct str path = {0};
    int fd = study_make_folder(study_path(&path, dir, STUDY_TMP), e);
    DIR *tmp = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !tmp) {
        err_system(e, "cannot read %s", path.text);
        close(fd);
    }
    for (struct dirent *entry; tmp && !e->code && (entry = readdir(tmp));)
        if (is_new && strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            err_set(e, ERR_USER,
                    "%s already exists and is not empty: move it away, or choose another folder "
                    "with --dir",
                    path.text);
        else if (entry->d_name[0] != '.')
            unlinkat(fd, entry->d_name, 0);
    if (tmp)
        closedir(tmp);
    str_free(&path);
    return e->code;
}

/* `changed`: the study has changed, and so does its copy. */
static int prepare_folder(const char *dir, const struct journal_writer *journal,
                          const struct study *study, bool is_new, bool changed, struct err *e)
{
    struct str path = {0};
    if (!empty_tmp(dir, is_new, e) && !study_check_folder(study_path(&path, dir, STUDY_LOGS), e))
        study_check_folder(study_path(&path, dir, STUDY_TRIALS), e);
    study_path(&path, dir, STUDY_COPY);
    if (!e->code && (changed || access(path.text, F_OK) != 0))
        journal_write_copy(journal, study, e);
    str_free(&path);
    return e->code;
}

/* Whoever holds the journal of a study may end what a killed run of it has left. */
static int open_journal(struct journal_writer **writer, const struct study *study,
                        const struct run_options *options, struct err *e)
{
    if (!options->journal)
        return journal_create(writer, options->dir, study, e);
    if (journal_open(writer, options->journal, e))
        return e->code;
    if (model_kind(&study->model)->starts_programs)
        helper_end_leftovers(options->dir);
    for (size_t i = 0; i < options->change_count; i++)
        journal_changed(*writer, journal_began(*writer), &options->changes[i]);
    return 0;
}

/* Trials run in another folder, so the path of the study folder must be absolute. */
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

/* What a new study may not find in its folder is found now, not in a job that has waited. */
static int check_checkpoints(const struct study *study, const char *dir, struct err *e)
{
    struct keeper *keeper = NULL;
    if (!model_kind(&study->model)->starts_programs)
        return 0;
    if (keeper_start(&keeper, dir, true, NULL, NULL, e))
        return e->code;
    keeper_stop(keeper, true);
    return 0;
}

/*
 * The owner of a folder may replace all that is in it, and with it the programs that a job runs. In
 * a folder like /tmp, another user may have made one of this name.
 */
static int check_owner(const char *dir, struct err *e)
{
    struct stat folder, link;
    if (stat(dir, &folder) != 0 || lstat(dir, &link) != 0 ||
        ((folder.st_uid == geteuid() || folder.st_uid == 0) &&
         (link.st_uid == geteuid() || link.st_uid == 0)))
        return 0;
    return err_set(e, ERR_USER,
                   "%s belongs to another user, who could change the study in it: choose another "
                   "folder with --dir",
                   dir);
}

/*
 * A new study that could not be set up: a resume would continue it without its earlier studies and
 * first points. Nothing has run, so it can simply be run again.
 */
static void forget_study(const char *dir)
{
    struct str path = {0};
    unlink(study_path(&path, dir, STUDY_JOURNAL));
    unlink(study_path(&path, dir, STUDY_QUEUE));
    str_free(&path);
}

int run_prepare(const struct study *study, const char *dir, uint64_t trials, double time,
                const struct earlier *earlier, struct err *e)
{
    struct journal_writer *journal;
    if (check_owner(dir, e) || journal_create(&journal, dir, study, e))
        return e->code;
    double now = journal_began(journal);
    char *path = absolute(dir);
    int failed = prepare_folder(path, journal, study, true, false, e);
    if (!failed)
        failed = check_checkpoints(study, path, e);
    if (!failed)
        failed = earlier_begin(earlier, NULL, &study->space, NULL, journal, path, e);
    if (!failed)
        journal_opened(journal, now, 0, trials, time);
    if (failed)
        forget_study(path);
    struct err late = {0};
    if (journal_close(journal, now, failed ? END_NONE : END_PREPARED, &late) && !failed) {
        *e = late;
        failed = e->code;
    }
    free(path);
    return failed;
}

int run_change(const struct journal *journal, const struct study_changes *changes, size_t count,
               struct err *e)
{
    struct journal_writer *writer = NULL;
    struct run_options options = {.journal = journal, .changes = changes, .change_count = count};
    if (count == 0 || open_journal(&writer, &journal->study, &options, e))
        return e->code;
    char *path = absolute(journal->dir);
    struct err late = {0};
    prepare_folder(path, writer, &journal->study, false, true, e);
    if (journal_close(writer, journal_began(writer), END_NONE, &late) && !e->code)
        *e = late;
    free(path);
    return e->code;
}

static bool has_study(const char *dir)
{
    struct str path = {0};
    bool found = access(study_path(&path, dir, STUDY_JOURNAL), F_OK) == 0;
    str_free(&path);
    return found;
}

/*
 * The frame of a study. The loop in crew_run() is made of events between ranks, whose handlers
 * stand in driver.c in the order of a trial's life:
 *
 *   driver_wanted()         a worker is idle: search_ask() suggests, balance carries the trial
 *   driver_given()          a worker has it, and the journal a start record; it runs
 *   driver_noted()          it reports steps: a record each, and the stopper looks at them
 *   driver_ended()          its outcome is judged and recorded, search_tell() learns from it
 *   driver_journal_moved()  the record is on disk: the observer sees the result
 */
int run_study(const struct study *study, const struct run_options *options,
              const struct run_observer *observer, struct run_progress *progress, struct err *e)
{
    struct journal_writer *journal = NULL;
    struct crew crew = {0};
    struct driver driver = {0};
    char *dir = absolute(options->dir);

    /* Workers, and the helper that starts programs: forked before there is any thread. */
    int failed = crew_create(&crew, study, options, dir, e);
    if (!failed && !options->journal)
        failed = check_owner(dir, e);
    if (!failed && !has_study(dir))
        failed = crew_prepare_container(&crew, dir, e);

    /* The folder is ours from here on: nobody else can write the journal. */
    if (!failed)
        failed = open_journal(&journal, study, options, e);
    if (!failed)
        failed =
            prepare_folder(dir, journal, study, !options->journal, options->change_count > 0, e);
    if (!failed)
        failed = crew_prepare_container(&crew, dir, e);

    /* The search, brought to where an earlier run ended. */
    if (!failed)
        failed = driver_create(&driver, study, options, observer, journal, dir, crew.count, e);
    if (!failed && study_steers(study))
        driver.steer = crew_create_steer(&crew, &driver);
    if (crew.container)
        driver.progress.runtime = container_runtime(crew.container);
    if (failed && journal && !options->journal)
        forget_study(dir);

    /* The loop, until a budget is used up, the search has nothing left, or somebody stops it. */
    if (!failed)
        failed = crew_run(&crew, &driver, e);
    if (!failed && driver.failure.code) {
        *e = driver.failure;
        failed = e->code;
    }

    /* The last records reach the disk, then the user. */
    struct err late = {0};
    enum journal_end end = failed ? END_NONE : driver.progress.end;
    if (journal && failed)
        journal_blame(journal, e);
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
