/* submit.c - wick submit: run a study as a cluster job, or as a chain of jobs. */
#include "cli/drive.h"
#include "cli/edits.h"
#include "cli/jobs.h"
#include "container/container.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is written and said ---- */

/* Executable for whoever may read it: its variables may be confidential. */
static int make_program(const char *path, struct err *e)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0 ||
        fchmod(fd, info.st_mode | (info.st_mode & 0444) >> 2) != 0)
        err_system(e, "cannot make %s executable", path);
    if (fd >= 0)
        close(fd);
    return e->code;
}

static int write_script(const struct launch_plan *plan, const char *dir, struct err *e)
{
    struct str script = {0}, path = {0};
    launch_script(plan, &script);
    study_path(&path, dir, STUDY_JOB_SCRIPT);
    int failed = study_job_has_secrets(&plan->job)
                     ? str_write_private(path.text, script.text, script.length, e)
                     : str_write_file(path.text, script.text, script.length, e);
    if (!failed)
        make_program(path.text, e);
    str_free(&script);
    str_free(&path);
    return e->code;
}

static int print_script(const struct cli_arguments *arguments, struct launch_plan *plan)
{
    struct str script = {0};
    plan->hides_secrets = !cli_flag(arguments, "secrets");
    launch_script(plan, &script);
    fputs(script.text, stdout);
    str_free(&script);
    return 0;
}

/* "4 nodes, 8 workers, 2 h, at most 3 jobs" */
static void add_size(struct str *text, const struct study_job *job)
{
    cli_add_count(text, job->nodes, job->workers_per_node ? "node" : "whole node");
    if (job->workers_per_node > 0) {
        str_add(text, ", ");
        cli_add_count(text, job->nodes * job->workers_per_node, "worker");
    }
    if (job->time > 0) {
        str_add(text, ", ");
        str_add_duration(text, job->time);
    }
    if (job->chain > 1)
        str_printf(text, ", at most %llu jobs", (unsigned long long)job->chain);
}

static void print_job(const struct launch_plan *plan, const char *dir, const char *id, bool quiet)
{
    char name[LAUNCH_ID + 32];
    struct str size = {0};
    if (quiet) {
        puts(id);
        return;
    }
    launch_name(plan->scheduler, id, name, sizeof name);
    add_size(&size, &plan->job);
    printf("submitted %s (%s); the study is in %s\n", name, size.text, dir);
    printf("  wick watch %s   follows it\n", dir);
    printf("  wick stop %s    stops it and keeps its results\n", dir);
    str_free(&size);
}

/* ---- submitting ---- */

/* The study exists even if the scheduler refuses the job: nothing is lost or created twice. */
static int not_submitted(const char *dir, struct err *e)
{
    struct err why = *e;
    return err_set(e, why.code,
                   "%.380s\nnothing runs; the study is in %.100s: try again with `wick submit "
                   "%.100s`, with other job options if needed, such as --queue NAME",
                   why.message, dir, dir);
}

/* A second job would not run the study twice, but wait for nothing. */
static int not_known(const struct launch_plan *plan, const char *dir, struct err *e)
{
    struct err why = *e;
    return err_set(e, why.code,
                   "%.300s\nit is not known whether the job was submitted: see whether `%s` lists "
                   "the job %s. If so, it runs the study, and `wick watch %.100s` follows it; if "
                   "not, try again with `wick submit %.100s`",
                   why.message, launch_jobs_command(plan->scheduler), plan->name, dir, dir);
}

static int submit(const struct launch_plan *plan, const char *dir, bool quiet, struct err *e)
{
    bool maybe = false;
    struct launch_entry entry = {.link = 1, .links = plan->job.chain, .submitted = clock_wall()};
    snprintf(entry.scheduler, sizeof entry.scheduler, "%s", plan->scheduler);
    if (write_script(plan, dir, e) ||
        launch_submit(plan->scheduler, dir, NULL, entry.id, &maybe, e))
        return maybe ? not_known(plan, dir, e) : not_submitted(dir, e);
    print_job(plan, dir, entry.id, quiet);
    return launch_record_submitted(dir, &entry, e);
}

/* One worker per node is rarely meant if nobody asked for it. */
static void note_workers(const struct study *study, const struct launch_plan *plan)
{
    if (study->job.workers_per_node == 0 && plan->site.job.workers_per_node == 0 &&
        plan->job.workers_per_node == 1 && plan->job.gpus_per_node == 0 && study->workers == 0)
        cli_note(
            "each node has one worker: to run more trials at a time, set 'workers_per_node' in "
            "'job' (or --workers-per-node)");
}

/* Nor is this meant on a login node whose scheduler needs a module. */
static void note_scheduler(const struct launch_plan *plan)
{
    if (!plan->job.scheduler && strcmp(plan->scheduler, "local") == 0)
        cli_note("found no scheduler on PATH (sbatch, qsub, bsub, flux): the job is a process on "
                 "this machine; choose another with --scheduler, or local to silence this note");
}

/* The runtime that will fetch the image, assuming that the nodes are like this machine. */
static const char *runtime_of(const struct study *study, const struct launch_plan *plan)
{
    static const char *const usual[] = {"apptainer", "singularity", "podman"};
    char path[PATH_MAX];
    const char *wanted = study->container.runtime;
    if (wanted && strcmp(wanted, "auto") != 0)
        return wanted;
    if (plan->site.runtime)
        return plan->site.runtime;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (container_find(usual[i], path))
            return usual[i];
    return usual[0];
}

/* True for docker://NAME and the like, except images in a local store. */
static bool is_fetched(const char *image)
{
    return strstr(image, "://") && strncmp(image, "docker-daemon", 13) != 0 &&
           strncmp(image, "containers-storage", 18) != 0;
}

/* A login node has network access, which the nodes of a job often lack. */
static void note_image(const struct study *study, const struct launch_plan *plan)
{
    static const char fetched[] = "the job itself fetches the image, but compute nodes often have "
                                  "no network. To fetch it here first";
    const char *image = study->container.image;
    if (!container_wanted(study) || !is_fetched(image) || strcmp(plan->scheduler, "local") == 0)
        return;
    const char *runtime = runtime_of(study, plan);
    if (strcmp(runtime, "podman") == 0)
        cli_note("%s: podman pull %s (the nodes must see podman's store)", fetched, image);
    else if (strcmp(runtime, "udocker") == 0)
        cli_note("%s: run a trial of the study here", fetched);
    else
        cli_note("%s: %s pull image.sif %s, and then 'image: image.sif'", fetched,
                 strcmp(runtime, "singularity") == 0 ? runtime : "apptainer", image);
}

/* A job that does not know its end is killed in the middle of its trials. */
static void note_time(const struct launch_plan *plan)
{
    if (plan->time_directive)
        cli_note("a job does not know the time limit in '%s', so it cannot end in time: use 'time' "
                 "in 'job' (or --job-time) instead",
                 plan->time_directive);
}

/* Prints what is wrong with the plan; returns 0 or the exit code. */
static int make_plan(struct cli_arguments *arguments, const struct study *study,
                     struct launch_plan *plan)
{
    struct err e = {0};
    struct err_list mistakes = {0};
    int code = 0;
    if (launch_plan(plan, study, &mistakes, &e))
        code = mistakes.count > 0 ? cli_fail_all(&mistakes) : cli_fail(&e);
    else if (!cli_flag(arguments, "dry-run") && launch_check(plan, &e))
        code = cli_fail(&e);
    if (code || cli_flag(arguments, "quiet"))
        return code;
    cli_print_notes(&study->notes);
    note_scheduler(plan);
    note_workers(study, plan);
    note_time(plan);
    cli_job_notes(study, &plan->job);
    return 0;
}

/* ---- a new study ---- */

static int prepare(struct cli_arguments *arguments, const struct study *study, const char *dir,
                   struct err *e)
{
    if (cli_is_study(dir))
        return err_set(
            e, ERR_USER,
            "the folder %s already has a study: continue it with `wick submit %s`, or choose "
            "another with --dir",
            dir, dir);
    struct earlier *earlier = drive_earlier(study, cli_flag(arguments, "quiet"), e);
    if (!e->code)
        run_prepare(study, dir, study->search.trials, study->time, earlier, e);
    earlier_free(earlier);
    return e->code;
}

/* Whoever submits the file again may mean the existing study. */
static void note_others(const struct study *study, const char *dir)
{
    struct str other = {0}, name = {0};
    bool found = false;
    drive_name_folder(&other, study, 1);
    for (int number = 2; !found && strcmp(other.text, dir) != 0 && cli_is_study(other.text);) {
        struct cli_job job = {0};
        cli_job_look(&job, other.text);
        found = jobs_runs(&job.current) || jobs_waits(&job.current);
        if (found) {
            cli_add_job_name(&name, &job.current.entry);
            cli_note(
                "%s has %s %s, but this is a new study; to continue the other one after that job: "
                "wick submit %s",
                other.text, name.text, jobs_runs(&job.current) ? "running" : "waiting", other.text);
        }
        drive_name_folder(&other, study, number++);
    }
    str_free(&other);
    str_free(&name);
}

static int submit_new(struct cli_arguments *arguments)
{
    struct err e = {0};
    if (cli_flag(arguments, "retry-failed")) {
        err_set(&e, ERR_USER, "'--retry-failed' is for the folder of an existing study");
        return cli_fail(&e);
    }
    struct study study;
    struct launch_plan plan;
    int code = cli_read_study(arguments, &study);
    if (code)
        return code;
    code = make_plan(arguments, &study, &plan);
    if (!code && !cli_flag(arguments, "quiet"))
        note_image(&study, &plan);
    if (!code && cli_flag(arguments, "dry-run")) {
        code = print_script(arguments, &plan);
    } else if (!code) {
        char *dir = drive_folder(arguments, &study);
        if (!cli_flag(arguments, "quiet") && !cli_value(arguments, "dir"))
            note_others(&study, dir);
        if (prepare(arguments, &study, dir, &e) ||
            submit(&plan, dir, cli_flag(arguments, "quiet"), &e))
            code = cli_fail(&e);
        free(dir);
    }
    launch_plan_free(&plan);
    study_free(&study);
    return code;
}

/* ---- a study that is there ---- */

/* ERR_USER if a job of the study is waiting or running. A job of unknown state is left alone. */
static int check_jobs(const struct journal *journal, struct err *e)
{
    const char *dir = journal->dir;
    struct launch_record record;
    launch_record_load(&record, dir, e);
    for (size_t i = record.count; i-- > 0 && !e->code;) {
        const struct launch_entry *entry = &record.entries[i];
        struct jobs_one job = {.entry = *entry};
        char name[LAUNCH_ID + 32];
        if (!launch_entry_open(entry))
            continue;
        launch_name(entry->scheduler, entry->id, name, sizeof name);
        launch_ask(entry->scheduler, entry->id, &job.report);
        if (!jobs_await_end(&job, journal))
            err_set(e, ERR_USER,
                    "the study in %s has ended, and %s is about to end: try again in a moment", dir,
                    name);
        else if (job.report.state == LAUNCH_UNKNOWN)
            cli_note("the state of %s is unknown: if it is still waiting, the later of the two "
                     "jobs ends "
                     "at once",
                     name);
        else if (job.report.state != LAUNCH_ENDED)
            err_set(
                e, ERR_USER,
                "the study in %s already has a job: %s %s; it continues by itself, and `wick stop "
                "%s` stops it",
                dir, name, jobs_waits(&job) ? "waits" : "runs", dir);
    }
    launch_record_free(&record);
    return e->code;
}

static int check_study(const struct journal *journal, struct err *e)
{
    if (journal->study.model.asktell)
        return err_set(e, ERR_USER, "the study in %s has no program to run: use `wick asktell %s`",
                       journal->dir, journal->dir);
    if (check_jobs(journal, e))
        return e->code;
    if (journal->running)
        return err_set(e, ERR_USER, "the study in %s is already running: %s", journal->dir,
                       journal->owner);
    return 0;
}

/*
 * The job that the options describe, on top of what the study says. The options are read as a study
 * of their own, so that they are checked as usual, and the job of the existing study fills the gaps
 * as a site file does for others.
 */
static int read_job(struct cli_arguments *arguments, struct study *words, const struct study *study,
                    struct arena *arena)
{
    struct study_words said;
    struct err_list mistakes = {0};
    struct study_site old = {.job = study->job};
    cli_words(arguments, &said);
    said.function = "noop";
    said.stop = NULL; /* that function has no steps */
    if (study_from_words(words, NULL, &said, &mistakes))
        return cli_fail_all(&mistakes);
    study_job_complete(&words->job, &old, arena);
    return 0;
}

/* Refuses options that are not about the job: the study is already defined. */
static int check_options(const struct cli_arguments *arguments, struct err *e)
{
    static const char *const words[] = {
        /* about this submission */
        "dry-run", "quiet", "ignore-edits", "retry-failed", "secrets",
        /* the job */
        "site", "scheduler", "nodes", "workers-per-node", "cores-per-worker", "memory-per-worker",
        "gpus-per-node", "gpu-type", "exclusive", "job-time", "notice", "queue", "account", "qos",
        "node-constraint", "reservation", "mail", "modules", "directive", "chain",
        /* what may change in the study */
        "trials", "time", "target", "halt", "stop", "timeout", "memory", "grace", "retries", "env",
        "keep", NULL};
    const char *other = cli_other_option(arguments, words);
    if (other)
        return err_set(
            e, ERR_USER,
            "'--%s' is only for a new study, but %s exists: only job options, the budget and "
            "limits of a trial can change (see `wick help resume`)",
            other, arguments->operands[0]);
    if (arguments->rest)
        return err_set(e, ERR_USER, "the study in %s already has a command: omit what follows '--'",
                       arguments->operands[0]);
    return 0;
}

/* Records what has changed in the study before the job can read it. */
static int submit_changed(struct cli_arguments *arguments, const struct journal *journal,
                          const struct launch_plan *plan, const struct edits *edits, struct err *e)
{
    bool quiet = cli_flag(arguments, "quiet");
    if (edits_record(edits, journal, quiet, e))
        return e->code;
    return submit(plan, journal->dir, quiet, e);
}

/* The study of the journal with the job and the budget of these options. */
static int submit_journal(struct cli_arguments *arguments, struct journal *journal,
                          const struct run_options *budget, const struct edits *edits)
{
    struct err e = {0};
    struct study words;
    struct arena arena = {0};
    struct launch_plan plan;
    struct study study = journal->study;
    int code = read_job(arguments, &words, &study, &arena);
    if (code)
        return code;
    study.job = words.job;
    code = make_plan(arguments, &study, &plan);
    plan.trials = cli_value(arguments, "trials") ? budget->trials : 0;
    plan.time = cli_value(arguments, "time") ? budget->time : 0;
    plan.retry_failed = budget->retry_failed;
    if (!code && cli_flag(arguments, "dry-run"))
        code = print_script(arguments, &plan);
    else if (!code && submit_changed(arguments, journal, &plan, edits, &e))
        code = cli_fail(&e);
    launch_plan_free(&plan);
    arena_free(&arena);
    study_free(&words);
    return code;
}

/* Submits the study with its changes, which are only recorded if it is complete. */
static int continue_journal(struct cli_arguments *arguments, struct journal *journal)
{
    struct err e = {0};
    struct edits edits = {0};
    bool quiet = cli_flag(arguments, "quiet"), dry = cli_flag(arguments, "dry-run");
    int code = edits_take(&edits, arguments, journal);
    struct run_options options = {.dir = journal->dir,
                                  .trials = journal->budget,
                                  .time = journal->limit,
                                  .retry_failed = cli_flag(arguments, "retry-failed")};
    if (!code &&
        (cli_whole(arguments, "trials", 1, 1000000000, &options.trials, &e) ||
         cli_seconds(arguments, "time", &options.time, &e) || (!dry && check_study(journal, &e))))
        code = cli_fail(&e);
    else if (!code && drive_is_complete(journal, &options, &code)) {
        if (!dry && edits_record(&edits, journal, quiet, &e))
            code = cli_fail(&e);
    } else if (!code) {
        if (!quiet)
            drive_note_halted(journal, options.retry_failed);
        code = submit_journal(arguments, journal, &options, &edits);
    }
    edits_free(&edits);
    return code;
}

static int submit_again(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    if (check_options(arguments, &e) || cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    int code = continue_journal(arguments, &journal);
    journal_free(&journal);
    return code;
}

/* ---- the command ---- */

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int run(struct cli_arguments *arguments)
{
    const char *operand = arguments->operands[0];
    return operand && is_folder(operand) ? submit_again(arguments) : submit_new(arguments);
}

static const struct cli_option options[] = {
    {.name = "dry-run", .help = "print the job script and do nothing else"},
    {.name = "secrets", .help = "with --dry-run: show the values of `environment:`, too"},
    {.name = "quiet", .letter = 'q', .help = "print the job number and no notes"},
    {.name = "retry-failed", .help = "run failed trials of an existing study again"},
    {0},
};

const struct cli_command cli_command_submit = {
    .name = "submit",
    .summary = "run a study as a cluster job, or as a chain of jobs",
    .example = "wick submit study.yaml\n"
               "wick submit study.yaml --nodes 4 --workers-per-node 8 --job-time 2h --dry-run\n"
               "wick submit study.wick --queue long --trials 500",
    .synopsis = "STUDY.yaml | DIR [options] [-- COMMAND ...]",
    .details =
        "The section `job` of the study, or options, say what the job needs; a site file\n"
        "provides the rest. The study folder and the job script, job.sh, are created at once.\n"
        "Given the folder of an existing study, the job continues that study. `wick watch`\n"
        "follows it, and `wick stop` stops it.",
    .options = {cli_folder_options, options, edits_ignore_options, cli_job_options,
                cli_space_options, cli_model_options},
    .least = 0,
    .most = 1,
    .takes_command = true,
    .run = run,
};
