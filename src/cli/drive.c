/* drive.c - run a study: its options, its folder, its signals. */
#include "cli/drive.h"
#include "cli/ranks.h"

#include "launch/launch.h"

#include <math.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

const struct cli_option drive_options[] = {
    {.name = "mpi",
     .value = "N",
     .help = "start N workers with mpiexec, on all nodes that it knows"},
    {.name = "servers",
     .value = "N",
     .help = "number of ranks that hand out trials (default: one per 256)"},
    {.name = "lost-after",
     .value = "TIME",
     .help = "give up on an MPI worker after this much silence\n(default: 30s; 0: never)"},
    {.name = "deadline",
     .value = "TIME",
     .help = "time limit of this run: start no trial that is not\nexpected to finish "
             "(default: from the scheduler)"},
    {.name = "notice",
     .value = "TIME",
     .help = "this long before the deadline, or on SIGUSR1, trials that\nwill not finish "
             "in time write a checkpoint (default: 1m)"},
    {.name = "json", .help = "print each event as a line of JSON"},
    {.name = "quiet", .letter = 'q', .help = "print errors only"},
    {.name = "no-report", .help = "do not write a report at the end"},
    {0},
};

static enum display choose_display(const struct cli_arguments *arguments)
{
    if (cli_flag(arguments, "json"))
        return DISPLAY_JSON;
    if (cli_flag(arguments, "quiet"))
        return DISPLAY_QUIET;
    return cli_terminal(stderr) ? DISPLAY_LIVE : DISPLAY_PLAIN;
}

/*
 * SIGHUP stays ignored if the caller ignores it, for nohup. SIGINT does not, although background
 * jobs of a script ignore it: whoever sends it to a study means it.
 */
int drive_signals(sigset_t more, sigset_t *old, struct err *e)
{
    sigset_t signals = more;
    struct sigaction hangup;
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, old);
    int fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        err_system(e, "cannot receive signals");
    return fd;
}

void drive_signals_end(int descriptor, const sigset_t *old)
{
    struct signalfd_siginfo late;
    while (read(descriptor, &late, sizeof late) > 0)
        ;
    close(descriptor);
    sigprocmask(SIG_SETMASK, old, NULL);
}

void drive_add_notices(sigset_t *signals)
{
    sigaddset(signals, SIGUSR1);
    sigaddset(signals, SIGUSR2);
}

void drive_name_folder(struct str *dir, const struct study *study, int number)
{
    str_clear(dir);
    str_add(dir, study->name);
    if (number > 1)
        str_printf(dir, "-%d", number);
    str_add(dir, ".wick");
}

char *drive_folder(struct cli_arguments *arguments, const struct study *study)
{
    const char *given = cli_value(arguments, "dir");
    if (given)
        return memory_copy(given);
    struct str dir = {0};
    drive_name_folder(&dir, study, 1);
    for (int number = 2; access(dir.text, F_OK) == 0; number++)
        drive_name_folder(&dir, study, number);
    return dir.text;
}

static const double LOST_AFTER = 30; /* seconds */

static int read_rules(const struct cli_arguments *arguments, struct run_options *options,
                      struct err *e)
{
    uint64_t servers = 0;
    if (arguments->ranks) {
        options->mpi = arguments->ranks->comm;
        options->helper = arguments->ranks->helper;
        options->per_node = arguments->ranks->per_node;
    }
    options->rules.lost_after = LOST_AFTER;
    if (cli_whole(arguments, "servers", 1, 100000, &servers, e) ||
        cli_seconds(arguments, "lost-after", &options->rules.lost_after, e))
        return e->code;
    options->rules.servers = (int)servers;
    if (cli_value(arguments, "mpi") && cli_takes(arguments, "workers") &&
        cli_value(arguments, "workers"))
        return err_set(e, ERR_USER, "--mpi %s already sets the number of workers: omit -n",
                       cli_value(arguments, "mpi"));
    if (options->mpi && cli_takes(arguments, "workers") && cli_value(arguments, "workers"))
        return err_set(e, ERR_USER,
                       "this is an MPI job whose %d ranks are the workers: omit --workers",
                       comm_size(options->mpi));
    if (options->mpi)
        options->workers = 0;
    return 0;
}

static const double NOTICE = 60, SHORT = 0.1; /* seconds; share of a short job */

/* In a job, or with a known deadline: from the study, or else the default. */
static int read_notice(const struct cli_arguments *arguments, const struct study *study,
                       struct run_options *options, struct err *e)
{
    bool wanted = options->deadline > 0 || launch_here().scheduler;
    if (cli_value(arguments, "notice"))
        return cli_seconds(arguments, "notice", &options->notice, e);
    if (wanted && study->job.notice > 0)
        options->notice = study->job.notice;
    else if (wanted)
        options->notice = options->deadline > 0 ? fmin(NOTICE, SHORT * options->deadline) : NOTICE;
    return 0;
}

/* A job knows when it ends; elsewhere --deadline says so. */
static int read_deadline(const struct cli_arguments *arguments, struct run_options *options,
                         struct err *e)
{
    double end = launch_here().end;
    if (cli_value(arguments, "deadline")) {
        if (cli_seconds(arguments, "deadline", &options->deadline, e) == 0 &&
            options->deadline <= 0)
            err_set(e, ERR_USER, "'--deadline' is a time from now, such as --deadline 2h");
        return e->code;
    }
    if (end > 0)
        options->deadline = fmax(1, end - clock_wall());
    return 0;
}

struct earlier *drive_earlier(const struct study *study, bool quiet, struct err *e)
{
    struct earlier *earlier;
    if (earlier_read(&earlier, study, e))
        return NULL;
    for (size_t i = 0; !quiet && earlier_note(earlier, i); i++)
        cli_note("%s", earlier_note(earlier, i));
    return earlier;
}

/* --mpi N: the command of all ranks is what was typed, without --mpi itself. */
static int run_by_mpi(const struct cli_arguments *arguments, const struct balance_rules *rules)
{
    struct err e = {0};
    struct mpiexec_plan plan = {.rules = *rules};
    size_t count = 0, typed = 0;
    if (arguments->ranks)
        err_set(&e, ERR_USER, "--mpi starts an MPI job, but this already is one: omit --mpi");
    if (e.code || cli_whole(arguments, "mpi", 1, 1000000, &plan.workers, &e))
        return cli_fail(&e);
    while (arguments->typed[typed])
        typed++;
    const char **words = memory_new(typed + 2, sizeof *words);
    words[count++] = arguments->command->name;
    bool ours = true; /* what follows -- belongs to the model */
    for (size_t i = 0; i < typed; i++) {
        ours = ours && strcmp(arguments->typed[i], "--") != 0;
        if (ours && strcmp(arguments->typed[i], "--mpi") == 0)
            i++;
        else if (!ours || strncmp(arguments->typed[i], "--mpi=", 6) != 0)
            words[count++] = arguments->typed[i];
    }
    plan.command = words;
    int code = mpiexec_run(&plan);
    free(words);
    return code;
}

int drive(struct cli_arguments *arguments, const struct study *study, struct run_options *options)
{
    struct err e = {0};
    struct run_progress progress = {0};
    struct run_observer observer;
    struct display_state state = {
        .display = choose_display(arguments), .study = study, .dir = options->dir};
    sigset_t signals, notices;
    sigemptyset(&notices);
    if (read_rules(arguments, options, &e) || read_deadline(arguments, options, &e) ||
        read_notice(arguments, study, options, &e))
        return cli_fail(&e);
    if (cli_value(arguments, "mpi"))
        return run_by_mpi(arguments, &options->rules);
    bool silent = state.display == DISPLAY_QUIET || state.display == DISPLAY_JSON;
    bool begun = options->journal && journal_is_begun(options->journal);
    struct earlier *earlier = begun ? NULL : drive_earlier(study, silent, &e);
    if (e.code)
        return cli_fail(&e);
    options->earlier = earlier;
    if (options->journal)
        drive_await_lock(options->dir);
    if (options->notice > 0)
        drive_add_notices(&notices);
    state.requests = options->requests = drive_signals(notices, &signals, &e);
    if (state.requests < 0) {
        earlier_free(earlier);
        return cli_fail(&e);
    }
    /* The trials must survive when a reader of our output goes away (| head, | tee). */
    signal(SIGPIPE, SIG_IGN);
    display_observer(&state, &observer);
    if (options->journal)
        standing_add_durations(&state.durations, options->journal);
    int failed = run_study(study, options, &observer, &progress, &e);
    earlier_free(earlier);
    drive_signals_end(state.requests, &signals);
    display_end(&state, &progress);
    int error = failed ? cli_fail(&e) : 0;
    int code = drive_conclude(arguments, &state, &progress, failed != 0);
    signal(SIGPIPE, SIG_DFL);
    if (error || code)
        return error ? error : code;
    return drive_exit_code(&state, &progress);
}

int drive_new(struct cli_arguments *arguments, struct study *study)
{
    if (!cli_flag(arguments, "quiet"))
        cli_study_notes(arguments, study);
    char *dir = drive_folder(arguments, study);
    struct run_options options = {.dir = dir, .trials = study->search.trials, .time = study->time};
    int code = drive(arguments, study, &options);
    free(dir);
    study_free(study);
    return code;
}
