/*
 * schedulers.c - the table: the directives, programs, answers and variables of each scheduler.
 *
 * The words of a template: {name} {nodes} {workers} (per node) {cores} {memory} (MiB per worker)
 * {gpus} (per node) {queue} {account} {qos} {constraint}, and what is derived from them:
 *
 *   {node_cores} {slots}          cores of a node, and of all nodes
 *   {node_memory} {core_memory}   MiB of a node, and of a core
 *   {hms} {minutes} {seconds}     the time as 26:00:00, rounded up to minutes, in seconds
 *   {notice} {notice_minutes}     how long before its end a job gets a notice
 *   {soft_hms}                    the time minus the notice
 *   {environment}                 SGE: the usual parallel environment
 *   {whole}                       nothing, but only if the job has whole nodes
 *
 * Output goes to job-ID.out in the study folder. If the scheduler cannot name a file by the job's
 * ID, the script itself sends it there.
 */
#include "launch/schedulers.h"

static const struct scheduler_word slurm_states[] = {
    {"PENDING", LAUNCH_WAITING},   {"REQUEUED", LAUNCH_WAITING},    {"REQUEUE_", LAUNCH_WAITING},
    {"SPECIAL_", LAUNCH_WAITING},  {"CONFIGURING", LAUNCH_RUNNING}, {"RUNNING", LAUNCH_RUNNING},
    {"SUSPENDED", LAUNCH_RUNNING}, {"STOPPED", LAUNCH_RUNNING},     {"SIGNALING", LAUNCH_RUNNING},
    {"RESIZING", LAUNCH_RUNNING},  {"COMPLETING", LAUNCH_ENDING},   {"STAGE_OUT", LAUNCH_ENDING},
    {NULL, LAUNCH_ENDED},
};

/* States of PBS and Torque. */
static const struct scheduler_word pbs_states[] = {
    {"Q", LAUNCH_WAITING}, {"H", LAUNCH_WAITING}, {"W", LAUNCH_WAITING}, {"T", LAUNCH_WAITING},
    {"R", LAUNCH_RUNNING}, {"S", LAUNCH_RUNNING}, {"U", LAUNCH_RUNNING}, {"B", LAUNCH_RUNNING},
    {"E", LAUNCH_ENDING},  {NULL, LAUNCH_ENDED},
};

static const struct scheduler_word lsf_states[] = {
    {"PEND", LAUNCH_WAITING},  {"PSUSP", LAUNCH_WAITING}, {"WAIT", LAUNCH_WAITING},
    {"PROV", LAUNCH_WAITING},  {"RUN", LAUNCH_RUNNING},   {"USUSP", LAUNCH_RUNNING},
    {"SSUSP", LAUNCH_RUNNING}, {"UNKWN", LAUNCH_RUNNING}, {NULL, LAUNCH_ENDED},
};

/* A state is a set of letters: d is being deleted, E an error, h held, R restarted. */
static const struct scheduler_word sge_states[] = {
    {"d", LAUNCH_ENDING},   {"q", LAUNCH_WAITING}, {"hq", LAUNCH_WAITING}, {"E", LAUNCH_WAITING},
    {"hR", LAUNCH_WAITING}, {"h", LAUNCH_RUNNING}, {"Rq", LAUNCH_WAITING}, {"r", LAUNCH_RUNNING},
    {"t", LAUNCH_RUNNING},  {"R", LAUNCH_RUNNING}, {"s", LAUNCH_RUNNING},  {"S", LAUNCH_RUNNING},
    {"T", LAUNCH_RUNNING},  {NULL, LAUNCH_ENDED},
};

static const struct scheduler_word cobalt_states[] = {
    {"queued", LAUNCH_WAITING},   {"user_hold", LAUNCH_WAITING}, {"admin_hold", LAUNCH_WAITING},
    {"dep_hold", LAUNCH_WAITING}, {"dep_fail", LAUNCH_WAITING},  {"max_", LAUNCH_WAITING},
    {"hold", LAUNCH_WAITING},     {"starting", LAUNCH_RUNNING},  {"running", LAUNCH_RUNNING},
    {"preempt", LAUNCH_RUNNING},  {"exiting", LAUNCH_ENDING},    {"killing", LAUNCH_ENDING},
    {NULL, LAUNCH_ENDED},
};

static const struct scheduler_word flux_states[] = {
    {"NEW", LAUNCH_WAITING},   {"DEPEND", LAUNCH_WAITING}, {"PRIORITY", LAUNCH_WAITING},
    {"SCHED", LAUNCH_WAITING}, {"RUN", LAUNCH_RUNNING},    {"CLEANUP", LAUNCH_ENDING},
    {NULL, LAUNCH_ENDED},
};

static const char pbs_chunks[] = "-l select={nodes}:ncpus={node_cores}:mpiprocs={workers}"
                                 "<:mem={node_memory}mb><:ngpus={gpus}><:{constraint}>";

/* What PBS and Torque have in common: Torque descends from OpenPBS. */
#define LIKE_PBS                                                                                   \
    .prefix = "#PBS ",                                                                             \
    .begin = {"cd -- \"$PBS_O_WORKDIR\" || exit 1", "exec >>\"job-$PBS_JOBID.out\" 2>&1"},         \
    .submit = {"qsub", "{after}", "job.sh"}, .after = {"-W", "depend=afterany:{id}"},              \
    .cancel = {"qdel", "{id}"}, .list = {"qstat", "-f", "{id}"}, .how = ANSWER_ATTRIBUTES,         \
    .states = pbs_states, .id = "PBS_JOBID", .forget = "PBS_"

const struct scheduler schedulers[SCHEDULERS] = {
    [SCHEDULER_SLURM] =
        {
            .title = "Slurm",
            .found_by = {"sbatch"},
            .prefix = "#SBATCH ",
            .directives = {"--job-name={name}", "--nodes={nodes}", "--ntasks-per-node={workers}",
                           "--cpus-per-task={cores}", "--exclusive{whole}", "--mem=0{whole}",
                           "--mem={node_memory}M", "--gpus-per-node={gpus}", "--time={hms}",
                           "--signal=B:USR1@{notice}", "--partition={queue}", "--account={account}",
                           "--qos={qos}", "--constraint={constraint}", "--requeue",
                           "--open-mode=append", "--output=job-%j.out"},
            .submit = {"sbatch", "--parsable", "{after}", "job.sh"},
            .after = {"--dependency=afterany:{id}"},
            .id_end = ";", /* the cluster's name follows */
            .cancel = {"scancel", "{id}"},
            .list = {"squeue", "--noheader", "--jobs={id}", "--format=%T|%R"},
            .how = ANSWER_FIELDS,
            .states = slurm_states,
            .unknown = {"Invalid job id"},
            .id = "SLURM_JOB_ID",
            .end = "SLURM_JOB_END_TIME",
            .restart = "SLURM_RESTART_COUNT",
            .nodes = "SLURM_JOB_NUM_NODES",
            .cores = "SLURM_JOB_CPUS_PER_NODE",
            .forget = "SLURM_",
            .keep = {"SLURM_CONF", "SLURM_JWT"},
        },
    [SCHEDULER_PBS] =
        {
            .title = "PBS",
            .found_by = {"qsub", "pbs_rstat"},
            .directives = {"-N {name}", pbs_chunks, "-l place=scatter", "-l walltime={hms}",
                           "-q {queue}", "-A {account}", "-r y", "-j oe"},
            .lacks = {"qos"},
            LIKE_PBS,
            .unknown = {"Unknown Job", "has finished"},
            .node_file = "PBS_NODEFILE",
            .keep = {"PBS_CONF_FILE", "PBS_SERVER"},
        },
    [SCHEDULER_TORQUE] =
        {
            .title = "Torque",
            .longest_name = 15,
            .found_by = {"qsub", "pbsnodes"},
            .directives = {"-N {name}",
                           "-l nodes={nodes}:ppn={node_cores}<:gpus={gpus}><:{constraint}>",
                           "-l pmem={core_memory}mb", "-l walltime={hms}", "-l qos={qos}",
                           "-q {queue}", "-A {account}", "-r y", "-j oe"},
            LIKE_PBS,
            .unknown = {"Unknown Job"},
            .also = "PBS_NUM_NODES",
            .nodes = "PBS_NUM_NODES",
            .keep = {"PBS_DEFAULT", "PBS_SERVER"},
        },
    [SCHEDULER_LSF] =
        {
            .title = "LSF",
            .found_by = {"bsub"},
            .prefix = "#BSUB ",
            .directives = {"-J {name}", "-n {slots}", "-R \"span[ptile={node_cores}]\"",
                           "-R \"rusage[mem={node_memory}MB]\"", "-R \"select[{constraint}]\"",
                           "-gpu \"num={gpus}\"", "-W {minutes}", "-wa USR1",
                           "-wt {notice_minutes}", "-q {queue}", "-P {account}", "-sla {qos}", "-r",
                           "-o job-%J.out"},
            .submit = {"bsub", "{after}"},
            .reads_input = true, /* it reads directives only from its input */
            .after = {"-w", "ended({id})"},
            .id_before = "Job <",
            .id_end = ">",
            .cancel = {"bkill", "{id}"},
            .list = {"bjobs", "-noheader", "-o", "stat exec_host delimiter='|'", "{id}"},
            .how = ANSWER_FIELDS,
            .states = lsf_states,
            .unknown = {"is not found", "No matching job"},
            .id = "LSB_JOBID",
            .task = "LSB_JOBINDEX",
            .node_cores = "LSB_MCPU_HOSTS",
            .forget = "LSB_",
            .keep = {"LSB_DEFAULTQUEUE", "LSB_DEFAULTPROJECT", "LSB_DEFAULT_USERGROUP",
                     "LSB_DEFAULT_JOBGROUP"},
        },
    [SCHEDULER_SGE] =
        {
            .title = "Grid Engine",
            .found_by = {"qsub", "qconf"},
            .prefix = "#$ ",
            .directives = {"-S /bin/bash", "-cwd", "-N {name}", "-pe {environment} {slots}",
                           "-l mem_free={core_memory}M", "-l gpu={gpus}", "-l h_rt={hms}",
                           "-l s_rt={soft_hms}", "-notify", "-q {queue}", "-P {account}",
                           "-l {constraint}", "-r y", "-j y", "-o job-$JOB_ID.out"},
            .lacks = {"qos"},
            .submit = {"qsub", "-terse", "{after}", "job.sh"},
            .after = {"-hold_jid", "{id}"},
            .id_end = ".", /* the task numbers of an array follow */
            .cancel = {"qdel", "{id}"},
            .list = {"qstat"},
            .how = ANSWER_COLUMNS,
            .column = 4,
            .states = sge_states,
            .unknown = {"does not exist"},
            .id = "JOB_ID",
            .also = "SGE_TASK_ID",
            .task = "SGE_TASK_ID",
            .restart = "RESTARTED",
            .nodes = "NHOSTS",
        },
    [SCHEDULER_COBALT] =
        {
            .title = "Cobalt",
            .found_by = {"qsub", "partlist"},
            .prefix = "#COBALT ",
            .directives = {"-n {nodes}", "-t {minutes}", "-q {queue}", "-A {account}",
                           "--attrs {constraint}", "--jobname {name}", "-O job"},
            .lacks = {"qos"},
            .begin = {"exec >>\"job-$COBALT_JOBID.out\" 2>&1"},
            .submit = {"qsub", "{after}", "job.sh"},
            .after = {"--dependencies", "{id}"},
            .cancel = {"qdel", "{id}"},
            .list = {"qstat", "--header", "JobID:State:Location", "{id}"},
            .how = ANSWER_COLUMNS,
            .column = 1,
            .states = cobalt_states,
            .unknown = {"No jobs found", "not found"},
            .id = "COBALT_JOBID",
            .end = "COBALT_ENDTIME",
            .nodes = "COBALT_JOBSIZE",
            .forget = "COBALT_",
            .keep = {"COBALT_CONFIG_FILES"},
        },
    [SCHEDULER_FLUX] =
        {
            .title = "Flux",
            .found_by = {"flux"},
            .prefix = "# flux: ",
            /* A slot is the job's part of a node, because GPUs can be given to slots only. */
            .directives = {"--job-name={name}", "--nodes={nodes}", "--nslots={nodes}",
                           "--cores-per-slot={node_cores}", "--gpus-per-slot={gpus}",
                           "--time-limit={seconds}s", "--signal=SIGUSR1@{notice}s",
                           "--queue={queue}", "--bank={account}", "--requires={constraint}",
                           "--output=job-{{id}}.out"},
            .lacks = {"qos"},
            /* The script runs in a Flux instance of its own, which knows the ID of its job. */
            .begin = {"export WICK_JOB_ID=${FLUX_ENCLOSING_ID:-$(flux getattr jobid)}"},
            .submit = {"flux", "{inside}", "batch", "{after}", "job.sh"},
            .after = {"--dependency=afterany:{id}"},
            .inside = "--parent", /* the instance of a job knows no other jobs */
            .cancel = {"flux", "{inside}", "cancel", "{id}"},
            .list = {"flux", "{inside}", "jobs", "--no-header", "--format={state}|{nodelist}",
                     "{id}"},
            .how = ANSWER_FIELDS,
            .states = flux_states,
            .unknown = {"unknown", "not found", "No such"},
            .id = "WICK_JOB_ID",
            .also = "FLUX_URI",
        },
    [SCHEDULER_LOCAL] =
        {
            .title = "local",
            .lacks = {"queue", "account", "qos", "constraint", "directives"},
            .id = "WICK_JOB_ID",
        },
};

const struct scheduler *scheduler_find(const char *name)
{
    for (size_t i = 0; i < SCHEDULERS; i++)
        if (strcmp(study_schedulers()[i], name) == 0)
            return &schedulers[i];
    return NULL;
}

const char *scheduler_name(const struct scheduler *row)
{
    return study_schedulers()[row - schedulers];
}

const char *launch_title(const char *scheduler)
{
    const struct scheduler *row = scheduler_find(scheduler);
    return row ? row->title : scheduler;
}

static bool is_here(const struct scheduler *row)
{
    char path[PATH_MAX];
    for (size_t i = 0; row->found_by[i]; i++)
        if (!command_find(row->found_by[i], path))
            return false;
    return row->found_by[0] != NULL;
}

const char *launch_scheduler_found(void)
{
    for (const struct scheduler *row = schedulers; row < schedulers + SCHEDULERS; row++)
        if (is_here(row))
            return scheduler_name(row);
    return scheduler_name(&schedulers[SCHEDULER_LOCAL]);
}
