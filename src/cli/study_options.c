/* study_options.c - the options that describe a study on the command line. */
#include "cli/cli.h"

/* ---- values for completion ---- */

/* All algorithms but `list`, which is that of parameter files. */
static const char *const *direction_words(void)
{
    static const char *const words[] = {"minimize", "maximize", NULL};
    return words;
}

static const char *const *pass_words(void)
{
    static const char *const words[] = {"flags", "template", "none", NULL};
    return words;
}

const char *const *cli_keep_words(void)
{
    static const char *const words[] = {"failed", "all", "none", NULL};
    return words;
}

/* ---- the options ---- */

const struct cli_option cli_folder_options[] = {
    {.name = "dir", .value = "D", .help = "the study folder (default: NAME.wick)"},
    {0},
};

const struct cli_option cli_space_options[] = {
    {.name = "set",
     .many = true,
     .value = "NAME=RANGE",
     .help = "a parameter: lr=log:1e-5..1e-1, layers=1..4, drop=0..0.5,\n"
             "optimizer=sgd,adam, epochs=10; may be repeated"},
    {.name = "algorithm",
     .value = "NAME",
     .help = "search algorithm: auto (default), gp, tpe, forest, random,\n"
             "sobol, grid and others; see docs/search.md",
     .suggest = search_names},
    {.name = "search",
     .many = true,
     .value = "KEY=VALUE",
     .help = "set a key of the section `search`, such as an option\nof the algorithm"},
    {.name = "constraint",
     .many = true,
     .value = "EXPR",
     .help = "a condition that must hold: 'layers * width <= 4096'"},
    {.name = "learn",
     .many = true,
     .value = "PATH",
     .help = "learn from an earlier study: its folder or a CSV file"},
    {.name = "start-from",
     .value = "PATH",
     .help = "first try the 5 best points of an earlier study\n(PATH:N for the N best)"},
    {.name = "stop",
     .value = "NAME",
     .help = "stop unpromising trials early: asha,\n"
             "hyperband, median, patience; with options: asha:reduction=4",
     .suggest = stop_names},
    {.name = "levels", .value = "N", .help = "grid: number of values per float"},
    {.name = "shuffle", .help = "grid: visit the points in random order"},
    {.name = "function",
     .value = "NAME",
     .help = "use a test function instead of a command: branin, ackley,\n"
             "network, curves and others",
     .suggest = function_names},
    {0},
};

const struct cli_option cli_model_options[] = {
    {.name = "trials", .value = "N", .help = "stop after N trials"},
    {.name = "time", .value = "T", .help = "stop after this time: 90s, 15m, 2h"},
    {.name = "target", .value = "SCORE", .help = "stop once a score is at least this good"},
    {.name = "halt",
     .value = "N",
     .help = "stop if N trials fail alike and none succeeds\n(default: 10; off: never)"},
    {.name = "workers",
     .letter = 'n',
     .value = "N",
     .help = "run N trials at a time (default: one per core)"},
    {.name = "seed", .value = "N", .help = "random seed: the same seed gives the same trials"},
    {.name = "score", .value = "NAME", .help = "name of the score in the output; for several: a,b"},
    {.name = "direction",
     .value = "WORD",
     .help = "minimize (default) or maximize",
     .suggest = direction_words},
    {.name = "metrics", .value = "A,B", .help = "other metrics to record"},
    {.name = "pattern",
     .value = "REGEX",
     .help = "regular expression that finds the score, with one group"},
    {.name = "python",
     .value = "FILE",
     .help = "call a Python function instead of a command: FILE:run"},
    {.name = "r", .value = "FILE", .help = "call an R function instead of a command"},
    {.name = "warm", .help = "start the interpreter only once, for all trials"},
    {.name = "preload", .value = "A,B", .help = "modules to import once, before the trials"},
    {.name = "interpreter", .value = "P", .help = "interpreter for --python or --r"},
    {.name = "timeout", .value = "T", .help = "time limit of a trial"},
    {.name = "grace", .value = "T", .help = "time a trial gets to end before it is killed"},
    {.name = "retries", .value = "N", .help = "retry a failed trial up to N times"},
    {.name = "memory", .value = "SIZE", .help = "memory limit of a trial: 512M, 2G"},
    {.name = "cores", .value = "N", .help = "cores per trial"},
    {.name = "ranks", .value = "N", .help = "processes per trial, each on its own worker"},
    {.name = "launch", .value = "HOW", .help = "how to start these processes: processes or mpi"},
    {.name = "launcher",
     .value = "CMD",
     .help = "command that starts them with --launch mpi: mpiexec"},
    {.name = "gpus", .value = "N", .help = "GPUs per trial; 0.5: two trials share one"},
    {.name = "container",
     .value = "IMAGE",
     .help = "run trials in this image: a file, a folder or docker://NAME"},
    {.name = "runtime",
     .value = "NAME",
     .help =
         "container runtime: auto (default), apptainer, podman, ...,\nor none to ignore the image",
     .suggest = study_runtimes},
    {.name = "env",
     .many = true,
     .value = "NAME=VALUE",
     .help = "environment variable for the trials"},
    {.name = "folder", .value = "F", .help = "working directory of the trials"},
    {.name = "pass",
     .value = "HOW",
     .help = "how to pass the parameters: flags, template or none",
     .suggest = pass_words},
    {.name = "keep",
     .value = "WHICH",
     .help = "keep the output of these trials: failed, all or none",
     .suggest = cli_keep_words},
    {.name = "name", .value = "NAME", .help = "name of the study"},
    {0},
};

/* Resources of a job. The short names are those of a trial. */
const struct cli_option cli_job_options[] = {
    {.name = "site",
     .value = "NAME",
     .help = "use the defaults of this cluster; see docs/site-file.md"},
    {.name = "scheduler",
     .value = "NAME",
     .help = "slurm, pbs, torque, lsf, sge, cobalt, flux or local",
     .suggest = study_schedulers},
    {.name = "nodes", .value = "N", .help = "nodes per job"},
    {.name = "workers-per-node", .value = "N", .help = "trials that run at a time on each node"},
    {.name = "cores-per-worker", .value = "N", .help = "cores per worker"},
    {.name = "memory-per-worker", .value = "SIZE", .help = "memory per worker: 4G"},
    {.name = "gpus-per-node", .value = "N", .help = "GPUs per node"},
    {.name = "gpu-type", .value = "NAME", .help = "type of the GPUs: a100"},
    {.name = "job-time", .value = "T", .help = "time limit of a job: 30m, 2h, 1d"},
    {.name = "notice", .value = "T", .help = "warn the job this long before its time limit"},
    {.name = "queue",
     .also = "partition",
     .value = "NAME",
     .help = "queue or partition; --partition means the same"},
    {.name = "account", .value = "NAME", .help = "account to charge"},
    {.name = "qos", .value = "NAME", .help = "quality of service"},
    {.name = "node-constraint", .value = "WORDS", .help = "features that the nodes must have"},
    {.name = "reservation", .value = "NAME", .help = "run in this reservation"},
    {.name = "exclusive", .help = "share the nodes with no other job"},
    {.name = "mail",
     .value = "ADDRESS",
     .help = "have the scheduler send mail when a job ends or fails"},
    {.name = "modules", .value = "A,B", .help = "environment modules to load"},
    {.name = "directive",
     .many = true,
     .value = "LINE",
     .help = "additional directive: --directive=--nice"},
    {.name = "chain", .value = "N", .help = "submit up to N jobs in a row until the study is done"},
    {0},
};

/* ---- reading ---- */

/* Where the value of each option goes. */
static const struct {
    const char *option;
    size_t field;
} fields[] = {
    {"trials", offsetof(struct study_words, trials)},
    {"time", offsetof(struct study_words, time)},
    {"target", offsetof(struct study_words, target)},
    {"halt", offsetof(struct study_words, halt)},
    {"workers", offsetof(struct study_words, workers)},
    {"algorithm", offsetof(struct study_words, algorithm)},
    {"levels", offsetof(struct study_words, levels)},
    {"stop", offsetof(struct study_words, stop)},
    {"seed", offsetof(struct study_words, seed)},
    {"score", offsetof(struct study_words, score)},
    {"direction", offsetof(struct study_words, direction)},
    {"metrics", offsetof(struct study_words, metrics)},
    {"pattern", offsetof(struct study_words, pattern)},
    {"python", offsetof(struct study_words, python)},
    {"r", offsetof(struct study_words, r)},
    {"preload", offsetof(struct study_words, preload)},
    {"interpreter", offsetof(struct study_words, interpreter)},
    {"timeout", offsetof(struct study_words, timeout)},
    {"grace", offsetof(struct study_words, grace)},
    {"retries", offsetof(struct study_words, retries)},
    {"memory", offsetof(struct study_words, memory)},
    {"cores", offsetof(struct study_words, cores)},
    {"ranks", offsetof(struct study_words, ranks)},
    {"launch", offsetof(struct study_words, launch)},
    {"launcher", offsetof(struct study_words, launcher)},
    {"gpus", offsetof(struct study_words, gpus)},
    {"folder", offsetof(struct study_words, folder)},
    {"pass", offsetof(struct study_words, pass)},
    {"keep", offsetof(struct study_words, keep)},
    {"function", offsetof(struct study_words, function)},
    {"name", offsetof(struct study_words, name)},
    {"container", offsetof(struct study_words, container)},
    {"runtime", offsetof(struct study_words, runtime)},
    {"site", offsetof(struct study_words, site)},
    {"scheduler", offsetof(struct study_words, scheduler)},
    {"nodes", offsetof(struct study_words, nodes)},
    {"workers-per-node", offsetof(struct study_words, workers_per_node)},
    {"cores-per-worker", offsetof(struct study_words, cores_per_worker)},
    {"memory-per-worker", offsetof(struct study_words, memory_per_worker)},
    {"gpus-per-node", offsetof(struct study_words, gpus_per_node)},
    {"job-time", offsetof(struct study_words, job_time)},
    {"notice", offsetof(struct study_words, notice)},
    {"queue", offsetof(struct study_words, queue)},
    {"account", offsetof(struct study_words, account)},
    {"qos", offsetof(struct study_words, qos)},
    {"node-constraint", offsetof(struct study_words, node_constraint)},
    {"gpu-type", offsetof(struct study_words, gpu_type)},
    {"mail", offsetof(struct study_words, mail)},
    {"reservation", offsetof(struct study_words, reservation)},
    {"modules", offsetof(struct study_words, modules)},
    {"chain", offsetof(struct study_words, chain)},
    {"start-from", offsetof(struct study_words, start_from)},
};

void cli_words(struct cli_arguments *arguments, struct study_words *words)
{
    bool by_mpi = cli_takes(arguments, "mpi") && cli_value(arguments, "mpi");
    *words = (struct study_words){.command = arguments->rest,
                                  .elsewhere =
                                      cli_takes(arguments, "nodes") || by_mpi || arguments->ranks};
    if (cli_takes(arguments, "env"))
        words->env = cli_values(arguments, "env");
    if (cli_takes(arguments, "set"))
        words->set = cli_values(arguments, "set");
    if (cli_takes(arguments, "search"))
        words->search = cli_values(arguments, "search");
    if (cli_takes(arguments, "constraint"))
        words->constraints = cli_values(arguments, "constraint");
    if (cli_takes(arguments, "learn"))
        words->learn = cli_values(arguments, "learn");
    if (cli_takes(arguments, "directive"))
        words->directives = cli_values(arguments, "directive");
    if (cli_takes(arguments, "shuffle") && cli_flag(arguments, "shuffle"))
        words->shuffle = "true";
    if (cli_takes(arguments, "exclusive") && cli_flag(arguments, "exclusive"))
        words->exclusive = "true";
    if (cli_takes(arguments, "warm") && cli_flag(arguments, "warm"))
        words->warm = "true";
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (cli_takes(arguments, fields[i].option))
            *(const char **)((char *)words + fields[i].field) =
                cli_value(arguments, fields[i].option);
}

int cli_read_study(struct cli_arguments *arguments, struct study *study)
{
    struct study_words words;
    struct err_list mistakes = {0};
    if (!arguments->operands[0] && !arguments->rest && arguments->given_count == 0) {
        struct err e = {0};
        err_set(&e, ERR_USER, "nothing to run: give a study file or '-- COMMAND'");
        return cli_fail(&e);
    }
    cli_words(arguments, &words);
    if (study_from_words(study, arguments->operands[0], &words, &mistakes))
        return cli_fail_all(&mistakes);
    return 0;
}
