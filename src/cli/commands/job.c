/*
 * job.c - wick job: what a cluster job runs. It continues its study, from the first job of a chain
 * to the last.
 *
 *   start ── complete, or halted in the job before? ─────▶ nothing to do
 *     │
 *   another job runs the study? ────────────────────────▶ refused
 *     │
 *   the next job of the chain is submitted, to wait for the end of this one: so it runs even if
 *     │   this one is killed, or its node is lost
 *     │
 *   the script could not prepare the job? ──────────────▶ that is reported
 *     │
 *   the study: in threads on this node, or with MPI on all nodes of the job
 *     │
 *   complete, halted, stopped by the user, or stuck? ────▶ the next job is cancelled
 *     │
 *    end
 */
#include "cli/drive.h"
#include "cli/edits.h"
#include "cli/ranks.h"
#include "launch/launch.h"

/* The current state of a study. */
struct look {
    bool complete;
    size_t ended, tries;  /* ended trials, and started tries */
    double time;          /* of the last record */
    enum journal_end end; /* why its last run ended; END_NONE: not in order */
    uint64_t workers;     /* workers in total; 0: the study does not say */
    uint64_t per_node;    /* workers on each node */
    uint64_t cores;       /* cores of each worker */
};

struct job {
    char *dir;
    struct launch_here here;
    char next[LAUNCH_ID]; /* the job that waits for this one to end; "": none */
    bool wanted;          /* a next job is wanted, but could not be submitted */
    bool failed_before;   /* the job before this one failed */
    bool retry;           /* failed trials run again */
    struct look before;   /* the study when this job started */
    uint64_t trials;      /* budget of the study; 0: from its journal */
    double time;          /* the same, in seconds */
    bool ignores_edits;   /* the study file has edits that cannot be taken over */
};

/* Edits of the study file count for this job; `wick resume`, which runs it, records them. */
static void look_at_edits(struct job *job, struct cli_arguments *arguments, struct journal *journal)
{
    struct edits edits = {.in_job = true};
    job->ignores_edits = edits_take(&edits, arguments, journal) != 0 || edits.ignored;
    edits_free(&edits);
}

/* `arguments` is NULL at the end of a job: later edits are for the next one. */
static int look_at(struct job *job, struct cli_arguments *arguments, struct look *look,
                   struct err *e)
{
    const char *dir = job->dir;
    struct journal journal;
    if (journal_load(&journal, dir, e))
        return e->code;
    if (arguments)
        look_at_edits(job, arguments, &journal);
    struct standing_budget budget = standing_budget(&journal);
    if (job->trials > 0)
        budget.trials = job->trials;
    if (job->time > 0)
        budget.time = job->time;
    *look = (struct look){.complete = drive_complete(&journal, &budget, job->retry) != END_NONE,
                          .end = journal.end,
                          .ended = journal.completion_count,
                          .time = journal.last_time};
    for (size_t i = 0; i < journal.count; i++)
        look->tries += journal.trials[i].tries;
    look->workers = journal.study.workers;
    look->per_node = journal.study.job.workers_per_node;
    look->cores = journal.study.job.cores > 0 ? journal.study.job.cores : journal.study.model.cores;
    if (journal.study.model.asktell)
        err_set(e, ERR_USER,
                "the study in %s has no program to run: continue it with `wick asktell %s`", dir,
                dir);
    journal_free(&journal);
    return e->code;
}

/* ---- the chain ---- */

static void submit_next(struct job *job, const struct launch_entry *own)
{
    struct err e = {0};
    bool maybe;
    struct launch_entry next = {.link = own->link + 1, .links = own->links};
    char name[LAUNCH_ID + 32];
    snprintf(next.scheduler, sizeof next.scheduler, "%s", own->scheduler);
    snprintf(next.after, sizeof next.after, "%s", own->id);
    if (launch_submit(own->scheduler, job->dir, own->id, next.id, &maybe, &e)) {
        job->wanted = true;
        if (maybe)
            cli_note("it is not known whether the next job was submitted: `%s` shows it. %s",
                     launch_jobs_command(own->scheduler), e.message);
        else
            cli_note("cannot submit the next job from here: %s", e.message);
        return;
    }
    snprintf(job->next, sizeof job->next, "%s", next.id);
    launch_name(own->scheduler, next.id, name, sizeof name);
    fprintf(stderr, "%s continues when this one ends (job %llu of at most %llu)\n", name,
            (unsigned long long)next.link, (unsigned long long)next.links);
    if (launch_record_submitted(job->dir, &next, &e))
        cli_note("%s", e.message);
}

/* A job may start before whoever submitted it has recorded its number. */
static int load_record(const struct job *job, struct launch_record *record, struct err *e)
{
    enum { LOOKS = 50 };
    static const struct timespec PAUSE = {.tv_nsec = 200000000};
    int looks =
        getenv("WICK_SCHEDULER") ? LOOKS : 1; /* other jobs do not come from `wick submit` */
    while (launch_record_load(record, job->dir, e) == 0 && --looks > 0 &&
           !launch_record_find(record, job->here.id)) {
        launch_record_free(record);
        nanosleep(&PAUSE, NULL);
    }
    return e->code;
}

/* True unless the job follows another one of its chain. */
static bool is_first(const struct job *job)
{
    struct launch_record record;
    struct err e = {0};
    if (!job->here.scheduler || load_record(job, &record, &e))
        return true;
    const struct launch_entry *own = launch_record_find(&record, job->here.id);
    bool first = !own || own->link <= 1;
    launch_record_free(&record);
    return first;
}

enum { KILLED = 128 + SIGTERM };

static const char ERROR[] = "error", LOCKED[] = "locked"; /* how a job ended, in the record */

/* A job of an array, or one submitted by hand: it is not part of a chain. */
static int record_own(const struct job *job, struct err *e)
{
    struct launch_entry own = {.link = 1, .links = 1};
    snprintf(own.id, sizeof own.id, "%s", job->here.id);
    snprintf(own.scheduler, sizeof own.scheduler, "%s", job->here.scheduler);
    return launch_record_submitted(job->dir, &own, e);
}

/* A job that was requeued already has its next job. */
static int chain_begin(struct job *job, struct err *e)
{
    struct launch_record record;
    if (!job->here.scheduler)
        return 0;
    if (load_record(job, &record, e))
        return e->code;
    const struct launch_entry *own = launch_record_find(&record, job->here.id);
    if (own) /* from here on, use the id that it was submitted with */
        snprintf(job->here.id, sizeof job->here.id, "%s", own->id);
    const struct launch_entry *next = launch_record_after(&record, job->here.id);
    const struct launch_entry *last = own ? launch_record_find(&record, own->after) : NULL;
    job->failed_before = last && strcmp(last->end, ERROR) == 0;
    if (!own && getenv("WICK_SCHEDULER"))
        cli_note("job %s is not in %s/jobs, so no job will follow it", job->here.id, job->dir);
    if (!own)
        record_own(job, e);
    if (!e->code && launch_record_began(job->dir, job->here.id, e) == 0) {
        if (next)
            snprintf(job->next, sizeof job->next, "%s", next->id);
        else if (own && own->link < own->links)
            submit_next(job, own);
    }
    launch_record_free(&record);
    return e->code;
}

static void cancel_next(struct job *job, const char *why)
{
    struct err e = {0};
    char name[LAUNCH_ID + 32];
    if (!job->next[0])
        return;
    launch_name(job->here.scheduler, job->next, name, sizeof name);
    if (launch_cancel(job->here.scheduler, job->next, &e))
        cli_note("%s is no longer needed, but cannot be cancelled: %s", name, e.message);
    else
        fprintf(stderr, "%s cancelled: %s\n", name, why);
    job->next[0] = 0;
}

/*
 * Why no further job should follow, NULL: one should. `code` is the exit code of the run. A problem
 * with a machine may be gone when the next job starts on other nodes, but the chain must not go on
 * failing for ever.
 */
static const char *reason_to_end(const struct job *job, const struct look *now, int code)
{
    bool killed = code == KILLED; /* by the scheduler: the next job continues */
    if (now->end == END_HALTED)
        return "the study was halted because its trials fail alike";
    if (now->complete)
        return "the study is complete";
    if (now->end == END_STOPPED)
        return "the study was stopped by `wick stop`";
    if (now->end == END_INTERRUPTED && !killed)
        return "the study was stopped";
    if (now->ended > job->before.ended || killed)
        return NULL;
    if (code == 2 || (code != 0 && job->failed_before))
        return "no trial ended in this job, and the next job would fail the same way";
    if (code == 0 && now->tries == job->before.tries)
        return "no trial fits into the time of a job: increase 'job.time'";
    return NULL;
}

static void print_how_to_go_on(const struct job *job)
{
    fprintf(stderr, "The study is not complete; submit the next job with:  wick submit %s\n",
            job->dir);
}

static void chain_end(struct job *job, int code)
{
    struct err e = {0};
    struct look now = {0};
    if (look_at(job, NULL, &now, &e)) {
        cli_print_err(&e);
        return;
    }
    if (now.time <= job->before.time) /* this job has not even opened the journal */
        now.end = END_NONE;
    const char *reason = reason_to_end(job, &now, code);
    if (reason && job->wanted && !now.complete)
        fprintf(stderr, "%s\n", reason);
    else if (reason)
        cancel_next(job, reason);
    if (!now.complete && !job->next[0] && now.end != END_HALTED)
        print_how_to_go_on(job);
    if (now.end == END_NONE && code == KILLED)
        now.end = END_INTERRUPTED;
    bool failed = now.end == END_NONE || now.end == END_BROKEN;
    const char *end = failed ? ERROR : journal_end_name(now.end);
    if (job->here.scheduler && launch_record_ended(job->dir, job->here.id, end, &e))
        cli_note("%s", e.message);
}

/* ---- the study ---- */

enum { WORDS = 16, MOST_OF_NODE = 4096, MOST_WORKERS = 1000000 /* as for --mpi */ };

/* The words of `wick resume` for all ranks. */
static size_t resume_words(const struct cli_arguments *arguments, const struct job *job,
                           const char **words)
{
    static const char *const options[] = {"--notice", "--trials", "--time", "--halt"};
    size_t count = 0;
    words[count++] = job->dir;
    if (job->retry)
        words[count++] = "--retry-failed";
    if (job->ignores_edits)
        words[count++] = "--ignore-edits";
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *value = cli_value(arguments, options[i] + strlen("--"));
        if (!value)
            continue;
        words[count++] = options[i];
        words[count++] = value;
    }
    words[count] = NULL;
    return count;
}

/* 0 workers: as many as fit on this machine. */
static int run_here(const struct cli_arguments *arguments, const struct job *job, uint64_t workers)
{
    const char *words[WORDS];
    char number[32];
    size_t count = resume_words(arguments, job, words);
    snprintf(number, sizeof number, "%llu", (unsigned long long)workers);
    if (workers > 0) {
        words[count++] = "--workers";
        words[count++] = number;
    }
    words[count] = NULL;
    return cli_run_command(cli_command_find("resume"), (int)count, (char **)words, NULL);
}

static int run_on_nodes(const struct cli_arguments *arguments, const struct job *job,
                        uint64_t nodes, uint64_t workers)
{
    const char *words[WORDS] = {"resume"};
    struct err e = {0};
    if (nodes > MOST_WORKERS / workers) {
        err_set(&e, ERR_USER, "%llu nodes with %llu workers each exceed the limit of %d workers",
                (unsigned long long)nodes, (unsigned long long)workers, MOST_WORKERS);
        return cli_fail(&e);
    }
    resume_words(arguments, job, words + 1);
    struct mpiexec_plan plan = {
        .command = words, .workers = nodes * workers, .nodes = nodes, .launcher = arguments->rest};
    return mpiexec_run(&plan);
}

/* The size of the job by the options; 0: not given. */
struct size {
    uint64_t nodes, workers, cores; /* workers per node, cores per worker */
};

/* Workers per node: by the options or the study, or else as many as fit. */
static uint64_t workers_of_node(const struct job *job, const struct size *size)
{
    uint64_t cores = size->cores > 0 ? size->cores : job->before.cores;
    if (size->workers > 0)
        return size->workers;
    if (job->before.per_node > 0)
        return job->before.per_node;
    if (job->before.workers > 0)
        return (job->before.workers + size->nodes - 1) / size->nodes;
    uint64_t fit = job->here.cores / (cores > 0 ? cores : 1);
    return fit > MOST_OF_NODE ? MOST_OF_NODE : fit > 0 ? fit : 1;
}

/* The nodes that the job really has count more than those that were requested. */
static int run_study_of(const struct cli_arguments *arguments, const struct job *job,
                        struct size *size)
{
    if (job->here.nodes > 0)
        size->nodes = job->here.nodes;
    if (size->nodes == 0)
        size->nodes = 1;
    bool said = size->workers > 0 || size->cores > 0;
    uint64_t workers = workers_of_node(job, size);
    if (size->nodes == 1 && !(arguments->rest && arguments->rest[0]))
        return run_here(arguments, job, said ? workers : 0);
    return run_on_nodes(arguments, job, size->nodes, workers);
}

/* ---- the job ---- */

/* Refuses a second job for a running study, before it submits or starts anything. */
static int check_free(const char *dir, struct err *e)
{
    struct journal_holder holder;
    if (!journal_is_held(dir, &holder))
        return 0;
    return err_set(e, ERR_USER,
                   "the study in %s is being run by %s: wait for it, or stop it with `wick stop "
                   "%s`",
                   dir, holder.name, dir);
}

/* A stale lock is released at some point, so the chain does not end with this job. */
static int leave_to_next(const struct job *job, struct err *e)
{
    struct err failure = {0};
    if (launch_record_ended(job->dir, job->here.id, LOCKED, &failure))
        cli_note("%s", failure.message);
    if (!job->next[0])
        print_how_to_go_on(job);
    return cli_fail(e);
}

/*
 * The script could not prepare the job: `failure` is the exit code and the line that failed. The
 * code of a line may be anything, but a signal from the scheduler is passed on.
 */
static int report_preparation(const char *failure)
{
    struct err e = {0};
    char *line;
    long code = strtol(failure, &line, 10);
    line += strspn(line, " \t");
    err_set(
        &e, ERR_SYSTEM,
        "no trial was run, because the job script failed with exit code %ld%s%.200s\n"
        "correct 'prologue' or 'modules' in 'job' or in the site file: they run in the folder of "
        "the study file, and a line that may fail ends with '|| true'",
        code, *line ? " in this line: " : "", line);
    int own = cli_fail(&e);
    return code == KILLED ? KILLED : own;
}

/* Blocks the notices until the study runs and reads them. */
static void hold_notices(void)
{
    sigset_t notices;
    sigemptyset(&notices);
    drive_add_notices(&notices);
    sigprocmask(SIG_BLOCK, &notices, NULL);
}

static int run_job(struct cli_arguments *arguments, struct job *job, struct err *e)
{
    struct size size = {0};
    if (cli_whole(arguments, "nodes", 1, 1000000, &size.nodes, e) ||
        cli_whole(arguments, "workers", 1, MOST_OF_NODE, &size.workers, e) ||
        cli_whole(arguments, "cores", 1, 1000000, &size.cores, e) ||
        cli_whole(arguments, "trials", 1, 1000000000, &job->trials, e) ||
        cli_seconds(arguments, "time", &job->time, e))
        return cli_fail(e);
    job->retry = cli_flag(arguments, "retry-failed") && job->here.restart == 0 && is_first(job);
    bool is_left = !drive_await_lock(job->dir); /* the lock is still held by a job that has ended */
    if ((!is_left && check_free(job->dir, e)) || look_at(job, arguments, &job->before, e))
        return cli_fail(e);
    if (job->before.end == END_HALTED && (job->before.complete || !is_first(job))) {
        printf("the study in %s was halted because its trials fail alike\n", job->dir);
        return 0;
    }
    if (job->before.complete) {
        printf("the study in %s is complete\n", job->dir);
        return 0;
    }
    if (chain_begin(job, e))
        return cli_fail(e);
    if (is_left && check_free(job->dir, e))
        return leave_to_next(job, e);
    const char *failure = getenv("WICK_JOB_FAILED");
    int code = failure ? report_preparation(failure) : run_study_of(arguments, job, &size);
    job->retry = false; /* what has failed again does not wait for the next job */
    chain_end(job, code);
    return code;
}

/* A script calls its folder "."; messages in its output need the full path. */
static int find_folder(const char *given, char **dir, struct err *e)
{
    if (cli_find_folder(given, dir, e))
        return e->code;
    char *whole = realpath(*dir, NULL);
    if (whole) {
        free(*dir);
        *dir = whole;
    }
    return 0;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct job job = {.here = launch_here()};
    hold_notices();
    if (find_folder(arguments->operands[0], &job.dir, &e))
        return cli_fail(&e);
    int code = run_job(arguments, &job, &e);
    free(job.dir);
    return code;
}

static const struct cli_option options[] = {
    {.name = "nodes", .value = "N", .help = "number of nodes (default: from the scheduler)"},
    {.name = "workers",
     .letter = 'n',
     .value = "N",
     .help = "run N trials at a time on each node\n(default: as many as fit)"},
    {.name = "cores", .value = "N", .help = "cores per trial (default: from the study)"},
    {.name = "notice",
     .value = "TIME",
     .help = "warn trials this long before the job ends\n(default: from the study)"},
    {.name = "trials", .value = "N", .help = "stop once the study has N trials in total"},
    {.name = "time", .value = "T", .help = "stop after this much time over all jobs: 15m, 2h"},
    {.name = "retry-failed",
     .help = "run failed trials again, in the first job of a chain,\nunless it is started again"},
    {.name = "halt",
     .value = "N",
     .help =
         "stop if N trials fail alike and none succeeds\n(default: as in the study; off: never)"},
    {0},
};

const struct cli_command cli_command_job = {
    .name = "job",
    .summary = "run a study inside a job (called by the scripts of wick submit)",
    .example = "wick job study.wick\n"
               "wick job study.wick --nodes 4 --workers 8 -- srun --mpi=pmix",
    .synopsis = "[DIR] [options] [-- LAUNCHER ...]",
    .details = "Runs the study on all nodes of the job; several nodes are started with mpiexec or\n"
               "with the launcher after --. Submits the next job of a chain at its start, and\n"
               "cancels that job once the study is complete. SIGUSR1 warns that the job ends soon.",
    .options = {options},
    .least = 0,
    .most = 1,
    .takes_command = true,
    .run = run,
};
