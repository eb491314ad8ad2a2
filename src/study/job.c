/*
 * job.c - the section `job`: what a scheduler is asked for.
 *
 * Some of these texts become parts of directives, and schedulers do not agree on quoting. So
 * characters that would need it are not allowed.
 */
#include "study/read.h"

enum {
    NODES = 100000,
    PER_NODE = 10000, /* workers or cores */
    GPUS = 1024,
    LINKS = 1000,
    LINKS_USUAL = 100, /* meaning of chain: true */
    WORD_BYTES = 200,
    SITE_BYTES = 100
};

/* ---- words of directives ---- */

/* Offset of the first character that must not be in a directive. */
static size_t word_length(const char *text)
{
    const char *p = text;
    while (*p > ' ' && *p < 0x7f && !strchr("'\"\\$`;#<>", *p))
        p++;
    return (size_t)(p - text);
}

static void read_directive_word(struct reader *reader, const struct node *value, const char **word)
{
    if (!read_text(reader, value, word))
        return;
    size_t good = (*word)[0] == '-' ? 0 : word_length(*word);
    if ((*word)[good])
        mistake(reader->mistakes, place_inside(value, good),
                "'%s' becomes part of a directive for the scheduler: it must not start with -, and "
                "must have no "
                "blanks, no quotes, none of \\ $ ` ; # < > and only ASCII characters",
                value->key);
    else if (good > WORD_BYTES)
        mistake(reader->mistakes, value->place, "'%s' has more than %d characters", value->key,
                WORD_BYTES);
}

static void read_queue(struct reader *reader, const struct node *value)
{
    read_directive_word(reader, value, &reader->study->job.queue);
}

static void read_account(struct reader *reader, const struct node *value)
{
    read_directive_word(reader, value, &reader->study->job.account);
}

static void read_qos(struct reader *reader, const struct node *value)
{
    read_directive_word(reader, value, &reader->study->job.qos);
}

static void read_constraint(struct reader *reader, const struct node *value)
{
    read_directive_word(reader, value, &reader->study->job.constraint);
}

static void read_reservation(struct reader *reader, const struct node *value)
{
    read_directive_word(reader, value, &reader->study->job.reservation);
}

static void read_gpu_type(struct reader *reader, const struct node *value)
{
    read_directive_word(reader, value, &reader->study->job.gpu_type);
}

/* ---- mail ---- */

static void read_mail_event(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"begin", "end", "fail", NULL};
    size_t index;
    if (read_word(reader, value, words, &index))
        reader->study->job.mail_on |= 1U << index; /* in the order of enum study_mail */
}

static void read_mail_on(struct reader *reader, const struct node *value)
{
    if (value->kind != NODE_LIST) {
        read_mail_event(reader, value);
        return;
    }
    for (struct node *item = value->first; item; item = item->next) {
        struct node event = *item;
        event.key = value->key; /* for the message */
        read_mail_event(reader, &event);
    }
}

static void read_mail_to(struct reader *reader, const struct node *value)
{
    if (value->kind == NODE_SCALAR && node_value_kind(value) == VALUE_BOOL) {
        mistake(reader->mistakes, value->place, "'mail' is an address, as in mail: me@example.org");
        return;
    }
    read_directive_word(reader, value, &reader->study->job.mail);
}

static const struct field mail_fields[] = {
    {"to", read_mail_to, NULL},
    {"on", read_mail_on, NULL},
    {"user", NULL, "use 'to'"},
    {"address", NULL, "use 'to'"},
    {"type", NULL, "use 'on'"},
    {"events", NULL, "use 'on'"},
    {0},
};

/* mail: me@example.org, or mail: {to: me@example.org, on: [end]} */
static void read_mail(struct reader *reader, const struct node *value)
{
    if (value->kind == NODE_SCALAR) {
        read_mail_to(reader, value);
        return;
    }
    if (!read_map_of(reader, value, "mail: {to: me@example.org, on: [begin, end, fail]}"))
        return;
    read_fields(reader, value, mail_fields);
    if (!node_find(value, "to"))
        mistake(reader->mistakes, value->place,
                "'mail' needs an address, as in mail: {to: me@example.org, on: [end]}");
}

/* ---- where the job runs ---- */

static bool is_site(const char *name)
{
    for (const char *p = name; *p; p++)
        if (!(*p >= '0' && *p <= '9') && !(p > name && strchr("-.", *p)) &&
            !is_name((char[]){*p, 0}, ""))
            return false;
    return strlen(name) <= SITE_BYTES;
}

static void read_site(struct reader *reader, const struct node *value)
{
    const char **site = &reader->study->job.site;
    if (read_text(reader, value, site) && !is_site(*site))
        mistake(reader->mistakes, value->place,
                "'site' must be the name of a site file without its ending: at most %d letters, "
                "digits and any of - _ .",
                SITE_BYTES);
}

const char *const *study_schedulers(void)
{
    static const char *const words[SCHEDULERS + 1] = {
        [SCHEDULER_SLURM] = "slurm", [SCHEDULER_PBS] = "pbs",     [SCHEDULER_TORQUE] = "torque",
        [SCHEDULER_LSF] = "lsf",     [SCHEDULER_SGE] = "sge",     [SCHEDULER_COBALT] = "cobalt",
        [SCHEDULER_FLUX] = "flux",   [SCHEDULER_LOCAL] = "local",
    };
    return words;
}

static void read_scheduler(struct reader *reader, const struct node *value)
{
    static const struct synonym names[] = {
        {"pbspro", "pbs"},   {"openpbs", "pbs"},    {"sbatch", "slurm"},
        {"bsub", "lsf"},     {"gridengine", "sge"}, {"uge", "sge"},
        {"ogs", "sge"},      {"moab", "torque"},    {"maui", "torque"},
        {"spectrum", "lsf"}, {"none", "local"},     {"fork", "local"},
        {"shell", "local"},  {"bash", "local"},     {0},
    };
    size_t index;
    const char *here = value->kind == NODE_SCALAR ? find_synonym(names, value->text) : NULL;
    if (here && strcmp(here, value->text) != 0)
        mistake(reader->mistakes, value->place, "unknown scheduler '%s': use '%s'",
                shown(value->text).text, here);
    else if (read_word(reader, value, study_schedulers(), &index))
        reader->study->job.scheduler = study_schedulers()[index];
}

/* ---- resources ---- */

static void read_nodes(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, NODES, &reader->study->job.nodes);
}

static void read_workers_per_node(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, PER_NODE, &reader->study->job.workers_per_node);
}

static void read_cores(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, PER_NODE, &reader->study->job.cores);
}

static void read_memory(struct reader *reader, const struct node *value)
{
    read_size(reader, value, &reader->study->job.memory);
}

static void read_gpus_per_node(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 0, GPUS, &reader->study->job.gpus_per_node);
}

static void read_exclusive(struct reader *reader, const struct node *value)
{
    bool exclusive;
    if (read_bool(reader, value, &exclusive))
        reader->study->job.exclusive = exclusive ? EXCLUSIVE_YES : EXCLUSIVE_NO;
}

static void read_time(struct reader *reader, const struct node *value)
{
    double *time = &reader->study->job.time, number;
    if (!read_seconds(reader, value, time))
        return;
    reader->study->job.time_is_bare = decimal_number(value->text, &number);
    if (*time < 1)
        mistake(reader->mistakes, value->place,
                "'time', the time limit of one job, must be at least 1s");
}

static void read_notice(struct reader *reader, const struct node *value)
{
    read_seconds(reader, value, &reader->study->job.notice);
}

static void read_chain(struct reader *reader, const struct node *value)
{
    bool chained;
    if (value->kind == NODE_SCALAR && value->plain && node_value_kind(value) == VALUE_BOOL) {
        if (read_bool(reader, value, &chained))
            reader->study->job.chain = chained ? LINKS_USUAL : 1;
    } else {
        read_whole(reader, value, 1, LINKS, &reader->study->job.chain);
    }
}

/* ---- the environment of trials ---- */

static bool is_module(const char *name)
{
    static const char *const commands[] = {"module", "ml", "load", "purge", "swap", "use", NULL};
    for (const char *p = name; *p; p++)
        if (!(p > name && strchr("-", *p)) && !is_name((char[]){'_', *p, 0}, "/.+:@=,"))
            return false;
    return !is_one_of(name, commands) && strlen(name) <= WORD_BYTES;
}

static void read_modules(struct reader *reader, const struct node *value)
{
    const char *const *names = read_plain_words(reader, value);
    if (!names) {
        mistake(reader->mistakes, value->place,
                "'modules' must be a list of modules to load, as in modules: [gcc/12, cuda]");
        return;
    }
    for (size_t i = 0; names[i]; i++)
        if (!is_module(names[i]))
            mistake(reader->mistakes, value->place,
                    "'%s' cannot be the name of a module: write names alone, as in modules: "
                    "[gcc/12, cuda]; put other 'module' commands into 'prologue'",
                    shown(names[i]).text);
    reader->study->job.modules = names;
}

static void read_environment(struct reader *reader, const struct node *value)
{
    struct study_job *job = &reader->study->job;
    read_variables(reader, value, "environment: {OMP_NUM_THREADS: 4}", &job->environment,
                   &job->environment_count);
}

static void note_prologue(struct reader *reader, const struct node *value)
{
    reader->study->job.prologue = read_prologue(reader, value);
}

static void note_directives(struct reader *reader, const struct node *value)
{
    reader->study->job.directives = read_directives(reader, value);
}

static void read_job_launcher(struct reader *reader, const struct node *value)
{
    const char *const *words = read_plain_words(reader, value);
    for (size_t i = 0; words && words[i]; i++)
        if (words[i][line_length(words[i])])
            words = NULL;
    if (!words)
        mistake(reader->mistakes, value->place,
                "'launcher' must be the program that starts Wick on the nodes, with its options, "
                "as in launcher: srun --mpi=pmix");
    reader->study->job.launcher = words;
}

/* ---- the section ---- */

const struct field job_fields[] = {
    {"site", read_site, NULL},
    {"scheduler", read_scheduler, NULL},
    {"nodes", read_nodes, NULL},
    {"workers_per_node", read_workers_per_node, NULL},
    {"cores", read_cores, NULL},
    {"memory", read_memory, NULL},
    {"gpus_per_node", read_gpus_per_node, NULL},
    {"time", read_time, NULL},
    {"notice", read_notice, NULL},
    {"queue", read_queue, NULL},
    {"partition", read_queue, NULL},
    {"account", read_account, NULL},
    {"qos", read_qos, NULL},
    {"constraint", read_constraint, NULL},
    {"gpu_type", read_gpu_type, NULL},
    {"reservation", read_reservation, NULL},
    {"exclusive", read_exclusive, NULL},
    {"mail", read_mail, NULL},
    {"modules", read_modules, NULL},
    {"environment", read_environment, NULL},
    {"prologue", note_prologue, NULL},
    {"directives", note_directives, NULL},
    {"launcher", read_job_launcher, NULL},
    {"chain", read_chain, NULL},
    {"num_nodes", NULL, "use 'nodes'"},
    {"node_count", NULL, "use 'nodes'"},
    {"nnodes", NULL, "use 'nodes'"},
    {"walltime", NULL, "use 'time'"},
    {"wall_time", NULL, "use 'time'"},
    {"timelimit", NULL, "use 'time'"},
    {"time_limit", NULL, "use 'time'"},
    {"duration", NULL, "use 'time'"},
    {"ppn", NULL, "use 'workers_per_node'"},
    {"tasks_per_node", NULL, "use 'workers_per_node'"},
    {"ntasks_per_node", NULL, "use 'workers_per_node'"},
    {"procs_per_node", NULL, "use 'workers_per_node'"},
    {"ranks_per_node", NULL, "use 'workers_per_node'"},
    {"workers", NULL, "use 'workers_per_node'"},
    {"cpus", NULL, "use 'cores'"},
    {"ncpus", NULL, "use 'cores'"},
    {"cpus_per_task", NULL, "use 'cores'"},
    {"cores_per_worker", NULL, "use 'cores'"},
    {"mem", NULL, "use 'memory'"},
    {"memory_per_worker", NULL, "use 'memory'"},
    {"gpus", NULL, "use 'gpus_per_node'"},
    {"ngpus", NULL, "use 'gpus_per_node'"},
    {"project", NULL, "use 'account'"},
    {"allocation", NULL, "use 'account'"},
    {"features", NULL, "use 'constraint'"},
    {"env", NULL, "use 'environment'"},
    {"variables", NULL, "use 'environment'"},
    {"module", NULL, "use 'modules'"},
    {"setup", NULL, "use 'prologue'"},
    {"options", NULL, "use 'directives'"},
    {"extra", NULL, "use 'directives'"},
    {"sbatch", NULL, "use 'directives'"},
    {"mpirun", NULL, "use 'launcher'"},
    {"mpiexec", NULL, "use 'launcher'"},
    {"srun", NULL, "use 'launcher'"},
    {"links", NULL, "use 'chain'"},
    {"cluster", NULL, "use 'site'"},
    {"machine", NULL, "use 'site'"},
    {"signal", NULL, "use 'notice'"},
    {"processes", NULL, "use nodes and workers_per_node, as in nodes: 4, workers_per_node: 8"},
    {"ntasks", NULL, "use nodes and workers_per_node, as in nodes: 4, workers_per_node: 8"},
    {"gres", NULL, "use 'gpus_per_node', as in gpus_per_node: 4"},
    {"name", NULL, "a job has the name of its study: set 'name' at the top level of the file"},
    {"output", NULL, "the output of a job goes to the study folder: leave it out"},
    {"error", NULL, "the output of a job goes to the study folder: leave it out"},
    {"email", NULL, "use 'mail'"},
    {"mail_user", NULL, "use 'mail'"},
    {"mail_type", NULL, "write it as in mail: {to: me@example.org, on: [begin, end, fail]}"},
    {"notify", NULL, "use 'mail'"},
    {"gpu_model", NULL, "use 'gpu_type'"},
    {"whole_nodes", NULL, "use 'exclusive'"},
    {0},
};

/* Checks that the keys in `map` go together. */
void check_job(struct reader *reader, const struct node *map)
{
    const struct study_job *job = &reader->study->job;
    const struct node *partition = node_find(map, "partition"), *notice = node_find(map, "notice");
    if (partition && node_find(map, "queue"))
        mistake(reader->mistakes, partition->key_place,
                "'partition' is another word for 'queue': leave one of them out");
    if (notice && job->time > 0 && job->notice >= job->time)
        mistake(reader->mistakes, notice->place,
                "'notice' is how long before its end a job is warned, so it must be shorter than "
                "'time'");
}

/* Checks that a node has enough GPUs for its workers; `root` is the whole study. */
void check_job_gpus(struct reader *reader, const struct node *root)
{
    const struct study_job *job = &reader->study->job;
    const struct node *map = node_find(root, "job");
    const struct node *gpus = map ? node_find(map, "gpus_per_node") : NULL;
    double each = reader->study->model.gpus, needed = (double)job->workers_per_node * each;
    if (gpus && job->gpus_per_node > 0 && needed > (double)job->gpus_per_node + 1e-9)
        mistake(
            reader->mistakes, gpus->place,
            "%llu worker%s with %g GPU%s each need %g GPUs per node, but 'gpus_per_node' is %llu",
            (unsigned long long)job->workers_per_node, job->workers_per_node == 1 ? "" : "s", each,
            each == 1 ? "" : "s", needed, (unsigned long long)job->gpus_per_node);
}

void read_job(struct reader *reader, const struct node *value)
{
    if (!read_map_of(reader, value, "job: {nodes: 8, time: 2h}"))
        return;
    read_fields(reader, value, job_fields);
    check_job(reader, value);
}
