/*
 * partition.c - whether a partition of Slurm can ever run a job: Slurm accepts many jobs that wait
 * forever. What sinfo does not tell, or tells in words that are unknown here, is no reason to
 * refuse a job.
 */
#include "launch/schedulers.h"

#include <math.h>

static const double SINFO_SECONDS = 5;

/* Nodes of a partition that are alike: "NAME|NODES|TIME|GRES"; the default one is "NAME*". */
struct nodes {
    char name[128];
    bool is_default;
    unsigned long long count, gpus;
    double time; /* limit in seconds; INFINITY: none, or unknown */
};

/* ---- what sinfo prints ---- */

/* "infinite", or "DAYS-HH:MM:SS" without what is 0 at its start; at least "MM:SS". */
static double time_in(const char *text)
{
    unsigned long long days = 0, parts[3] = {0};
    size_t count = 0;
    const char *dash = strchr(text, '-');
    if (dash)
        days = strtoull(text, NULL, 10);
    for (const char *at = dash ? dash + 1 : text; at && count < 3; count++) {
        if (*at < '0' || *at > '9')
            return INFINITY;
        parts[count] = strtoull(at, NULL, 10);
        at = strchr(at, ':');
        at = at ? at + 1 : NULL;
    }
    if (count < 2)
        return INFINITY;
    double seconds = 0;
    for (size_t i = 0; i < count; i++)
        seconds = seconds * 60 + (double)parts[i];
    return seconds + (double)days * 86400;
}

/* The GPUs in "gpu:a100:4(S:0-1),gpu:2,shard:8"; "gpu:a100" is one. */
static unsigned long long gpus_in(const char *text)
{
    unsigned long long all = 0;
    for (const char *at = text; *at;) {
        size_t length = 0; /* of this one: commas in brackets do not end it */
        for (int depth = 0; at[length] && (depth > 0 || at[length] != ','); length++)
            depth += (at[length] == '(') - (at[length] == ')');
        size_t end = strcspn(at, "(,");
        while (end > 0 && at[end - 1] != ':')
            end--;
        if (strncmp(at, "gpu", 3) == 0 && (at[3] == ':' || end == 0))
            all += at[end] >= '0' && at[end] <= '9' ? strtoull(at + end, NULL, 10) : 1;
        at += length + (at[length] == ',');
    }
    return all;
}

static bool read_nodes(struct slice line, struct nodes *nodes)
{
    char text[1024], *fields[4] = {text};
    size_t count = 1;
    snprintf(text, sizeof text, "%.*s", (int)line.length, line.text);
    for (char *at = text; *at && count < 4; at++)
        if (*at == '|') {
            *at = 0;
            fields[count++] = at + 1;
        }
    if (count < 4 || !*fields[0])
        return false;
    char *star = strrchr(fields[0], '*');
    *nodes = (struct nodes){.is_default = star && !star[1],
                            .count = strtoull(fields[1], NULL, 10),
                            .gpus = gpus_in(fields[3]),
                            .time = time_in(fields[2])};
    snprintf(nodes->name, sizeof nodes->name, "%.*s",
             (int)(strlen(fields[0]) - (nodes->is_default ? 1 : 0)), fields[0]);
    return true;
}

/* ---- the checks ---- */

/* A partition: what its nodes add up to. */
struct partition {
    struct slice name; /* "": the default one */
    char found[128];   /* its name as sinfo has it */
    unsigned long long nodes, fitting, gpus;
    double time;
};

/* Adds up the nodes with this name; `names` gets those of all partitions. */
static void sum(struct partition *partition, const char *text, unsigned long long gpus,
                struct str *names)
{
    char last[128] = "";
    partition->time = INFINITY;
    for (const char *at = text; *at;) {
        struct slice line = {at, strcspn(at, "\n")};
        struct nodes nodes;
        at += line.length + (at[line.length] == '\n');
        if (!read_nodes(line, &nodes))
            continue;
        if (strcmp(last, nodes.name) != 0)
            str_printf(names, "%s%s", names->length ? ", " : "", nodes.name);
        snprintf(last, sizeof last, "%s", nodes.name);
        if (partition->name.length > 0 ? !slice_is(partition->name, nodes.name) : !nodes.is_default)
            continue;
        snprintf(partition->found, sizeof partition->found, "%s", nodes.name);
        partition->nodes += nodes.count;
        partition->fitting += nodes.gpus >= gpus ? nodes.count : 0;
        partition->gpus = nodes.gpus > partition->gpus ? nodes.gpus : partition->gpus;
        partition->time = nodes.time;
    }
}

static int check_gpus(const struct partition *partition, const struct study_job *job, struct err *e)
{
    unsigned long long gpus = job->gpus_per_node, nodes = job->nodes;
    if (partition->gpus == 0)
        return err_set(e, ERR_USER,
                       "the job asks for %llu GPU%s per node, but the nodes of the partition %s "
                       "have none: choose another 'queue'",
                       gpus, gpus == 1 ? "" : "s", partition->found);
    if (partition->gpus < gpus)
        return err_set(e, ERR_USER,
                       "the job asks for %llu GPUs per node, but no node of the partition %s has "
                       "more than %llu: lower 'gpus_per_node', or choose another 'queue'",
                       gpus, partition->found, partition->gpus);
    return err_set(e, ERR_USER,
                   "the job asks for %llu nodes with %llu GPU%s, but the partition %s has only "
                   "%llu: lower 'nodes', or choose another 'queue'",
                   nodes, gpus, gpus == 1 ? "" : "s", partition->found, partition->fitting);
}

static bool has_qos(const struct study_job *job)
{
    const struct scheduler *slurm = scheduler_find("slurm");
    for (size_t i = 0; job->directives && job->directives[i]; i++)
        if (directive_is_about(slurm, job->directives[i], "{qos}"))
            return true;
    return job->qos || getenv("SBATCH_QOS");
}

/* With a QOS, the limits of a partition may not apply. */
static int check_time(const struct partition *partition, const struct study_job *job, struct err *e)
{
    struct str asked = {0}, limit = {0};
    if (job->time <= partition->time || has_qos(job))
        return 0;
    str_add_duration(&asked, job->time);
    str_add_duration(&limit, partition->time);
    err_set(e, ERR_USER,
            "the job asks for %s, but the partition %s allows only %s: lower 'time' and set "
            "'chain', so that further jobs continue the study, or choose another 'queue'",
            asked.text, partition->found, limit.text);
    str_free(&asked);
    str_free(&limit);
    return e->code;
}

static int check_partition(struct slice name, const struct study_job *job, const char *text,
                           struct err *e)
{
    struct partition partition = {.name = name};
    struct str names = {0};
    sum(&partition, text, job->gpus_per_node, &names);
    if (names.length > 0 && name.length > 0 && !partition.found[0])
        err_set(e, ERR_USER, "there is no partition %.*s: set 'queue' to one of %.300s",
                (int)name.length, name.text, names.text);
    else if (partition.nodes > 0 && job->nodes > partition.nodes)
        err_set(e, ERR_USER,
                "the job asks for %llu nodes, but the partition %s has %llu: lower 'nodes', or "
                "choose another 'queue'",
                (unsigned long long)job->nodes, partition.found, partition.nodes);
    else if (partition.nodes > 0 && job->gpus_per_node > 0 && partition.fitting < job->nodes)
        check_gpus(&partition, job, e);
    else
        check_time(&partition, job, e);
    str_free(&names);
    return e->code;
}

/* Slurm takes whichever of several partitions is free first: one that can run the job is enough. */
static int check_queue(const char *queue, const struct study_job *job, const char *text,
                       struct err *e)
{
    const char *at = queue;
    do {
        struct slice name = {at, strcspn(at, ",")};
        *e = (struct err){0};
        check_partition(name, job, text, e);
        at += name.length + (at[name.length] == ',');
    } while (e->code && *at);
    return e->code;
}

/* True if a directive or a variable sends the job elsewhere than the plan says. */
static bool is_elsewhere(const struct study_job *job)
{
    static const char *const options[] = {
        "-p",     "--partition", "-M",     "--clusters", "--reservation", "-N", "--nodes",
        "--gres", "--gpus",      "--time", "-t"};
    if (job->reservation || getenv("SLURM_CLUSTERS") || getenv("SBATCH_CLUSTERS"))
        return true;
    for (size_t i = 0; job->directives && job->directives[i]; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            if (strncmp(job->directives[i], options[k], strlen(options[k])) == 0)
                return true;
    return false;
}

int launch_check(const struct launch_plan *plan, struct err *e)
{
    static const char *const words[] = {"sinfo", "--all", "--noheader", "--format=%P|%D|%l|%G",
                                        NULL};
    const struct study_job *job = &plan->job;
    struct program_call call = {scheduler_find(plan->scheduler), words, NULL, SINFO_SECONDS};
    struct program_answer answer;
    struct err ignored = {0};
    const char *queue = job->queue ? job->queue : getenv("SBATCH_PARTITION");
    if (strcmp(plan->scheduler, "slurm") != 0 || is_elsewhere(job))
        return 0;
    if (!program_run(&call, &answer, &ignored) && answer.status == 0)
        check_queue(queue ? queue : "", job, str_text(&answer.out), e);
    program_answer_free(&answer);
    return e->code;
}
