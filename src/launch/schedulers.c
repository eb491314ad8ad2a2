/*
 * schedulers.c - the table: the directives, programs, answers and variables of each scheduler.
 *
 * The words of a template: {name} {nodes} {workers} (per node) {cores} {memory} (MiB per worker)
 * {gpus} (per node) {gpu_type} {queue} {account} {qos} {constraint} {reservation} {mail}, and what
 * is derived from them:
 *
 *   {node_cores} {slots}          cores of a node, and of all nodes
 *   {node_memory} {core_memory}   MiB of a node, and of a core
 *   {hms} {minutes} {seconds}     the time as 26:00:00, rounded up to minutes, in seconds
 *   {notice} {notice_minutes}     how long before its end a job gets a notice
 *   {soft_hms}                    the time minus the notice
 *   {environment}                 SGE: the usual parallel environment
 *   {mail_words} {mail_letters}   the events that cause mail: BEGIN,END,FAIL or bea
 *   {site_gpus}                   what the site adds to a node with GPUs, in the directive for a
 * node {whole} {exclusive} {mail_begin} {mail_end} nothing, but only if the job has whole nodes,
 * shares them with no other job, or causes mail at its start or end
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

/* ---- directives ---- */

static const struct scheduler_directive slurm_directives[] = {
    {"--job-name={name}", "--job-name|-J"},
    {"--nodes={nodes}", "--nodes|-N"},
    {"--ntasks-per-node={workers}", "--ntasks-per-node|--ntasks|-n"},
    {"--cpus-per-task={cores}", "--cpus-per-task|-c|--cpus-per-gpu"},
    {"--exclusive{whole}", "--exclusive|--oversubscribe|-s"},
    {"--mem=0{whole}", "--mem|--mem-per-cpu|--mem-per-gpu"},
    {"--exclusive{exclusive}", "--exclusive|--oversubscribe|-s"},
    {"--mem={node_memory}M", "--mem|--mem-per-cpu|--mem-per-gpu"},
    {"--gpus-per-node=<{gpu_type}:>{gpus}",
     "--gpus-per-node|--gpus|-G|--gpus-per-task|--gpus-per-socket|--gres gpu"},
    {"--time={hms}", "--time|-t"},
    {"--signal=B:USR1@{notice}", "--signal"},
    {"--partition={queue}", "--partition|-p"},
    {"--account={account}", "--account|-A"},
    {"--qos={qos}", "--qos|-q"},
    {"--constraint={constraint}", "--constraint|-C"},
    {"--reservation={reservation}", "--reservation"},
    {"--mail-user={mail}", "--mail-user"},
    {"--mail-type={mail_words}", "--mail-type"},
    {"--requeue", "--requeue|--no-requeue"},
    {"--open-mode=append", "--open-mode"},
    {"--output=job-%j.out", "--output|-o"},
    {NULL, NULL},
};

static const char pbs_chunks[] = "-l select={nodes}:ncpus={node_cores}:mpiprocs={workers}"
                                 "<:mem={node_memory}mb><:ngpus={gpus}><:{site_gpus}>"
                                 "<:{constraint}>";

/* Next to `select`, PBS refuses the resources of nodes. */
static const struct scheduler_part pbs_parts[] = {
    {"-l nodes", "nodes"},
    {"-l ncpus", "cores"},
    {"-l mem", "memory"},
    {"-l ngpus", "gpus_per_node"},
    {"-l mpiprocs", "workers_per_node"},
    {"-l ompthreads", NULL},
    {"-l vmem", NULL},
    {"-l arch", NULL},
    {"-l host", NULL},
    {"-l vnode", NULL},
    {"-l naccelerators", NULL},
    {NULL, NULL},
};

/* A reservation is a queue. */
static const struct scheduler_directive pbs_directives[] = {
    {"-N {name}", "-N"},
    {pbs_chunks, "-l select"},
    {"-l place=scatter<:excl{exclusive}>", "-l place"},
    {"-l walltime={hms}", "-l walltime"},
    {"-q {queue}", "-q"},
    {"-q {reservation}", "-q"},
    {"-A {account}", "-A"},
    {"-M {mail}", "-M"},
    {"-m {mail_letters}", "-m"},
    {"-r y", "-r"},
    {"-j oe", "-j"},
    {NULL, NULL},
};

static const struct scheduler_directive torque_directives[] = {
    {"-N {name}", "-N"},
    {"-l nodes={nodes}:ppn={node_cores}<:gpus={gpus}><:{constraint}>", "-l nodes|-l procs"},
    {"-l naccesspolicy=singlejob{exclusive}", "-l naccesspolicy|-n"},
    {"-l pmem={core_memory}mb", "-l pmem|-l mem"},
    {"-l walltime={hms}", "-l walltime"},
    {"-l qos={qos}", "-l qos"},
    {"-l advres={reservation}", "-l advres"},
    {"-q {queue}", "-q"},
    {"-A {account}", "-A"},
    {"-M {mail}", "-M"},
    {"-m {mail_letters}", "-m"},
    {"-r y", "-r"},
    {"-j oe", "-j"},
    {NULL, NULL},
};

/* -nnodes requests whole nodes, with all that they have. */
static const struct scheduler_directive lsf_directives[] = {
    {"-J {name}", "-J"},
    {"-n {slots}", "-n|-nnodes"},
    {"-R \"span[ptile={node_cores}]\"", "-R span|-nnodes"},
    {"-R \"rusage[mem={node_memory}MB]\"", "-R rusage|-nnodes"},
    {"-R \"select[{constraint}]\"", "-R select|-nnodes"},
    {"-gpu \"num={gpus}<:gmodel={gpu_type}>\"", "-gpu|-nnodes"},
    {"-x{exclusive}", "-x|-nnodes"},
    {"-W {minutes}", "-W"},
    {"-wa USR1", "-wa"},
    {"-wt {notice_minutes}", "-wt"},
    {"-q {queue}", "-q"},
    {"-P {account}", "-P"},
    {"-sla {qos}", "-sla"},
    {"-U {reservation}", "-U"},
    {"-u {mail}", "-u"},
    {"-B{mail_begin}", "-B"},
    {"-N{mail_end}", "-N|-Ne"},
    {"-r", "-r|-rn"},
    {"-o job-%J.out", "-o|-oo"},
    {NULL, NULL},
};

static const struct scheduler_directive sge_directives[] = {
    {"-S /bin/bash", "-S"},
    {"-cwd", "-cwd|-wd"},
    {"-N {name}", "-N"},
    {"-pe {environment} {slots}", "-pe"},
    {"-l mem_free={core_memory}M", "-l mem_free|-l mf"},
    {"-l gpu={gpus}", "-l gpu"},
    {"-l h_rt={hms}", "-l h_rt"},
    {"-l s_rt={soft_hms}", "-l s_rt|-l h_rt"},
    {"-notify", "-notify"},
    {"-q {queue}", "-q"},
    {"-P {account}", "-P"},
    {"-l {constraint}", ""},
    {"-l exclusive=true{exclusive}", "-l exclusive|-l excl"},
    {"-ar {reservation}", "-ar"},
    {"-M {mail}", "-M"},
    {"-m {mail_letters}", "-m"},
    {"-r y", "-r"},
    {"-j y", "-j"},
    {"-o job-$JOB_ID.out", "-o"},
    {NULL, NULL},
};

/* A reservation is a queue; a job always has whole nodes, and its mail is about all events. */
static const struct scheduler_directive cobalt_directives[] = {
    {"-n {nodes}", "-n|--nodecount"}, {"-t {minutes}", "-t|--time"},
    {"-q {queue}", "-q|--queue"},     {"-q {reservation}", "-q|--queue"},
    {"-A {account}", "-A|--project"}, {"--attrs {constraint}", "--attrs"},
    {"-M {mail}", "-M|--notify"},     {"--jobname {name}", "--jobname"},
    {"-O job", "-O|--outputprefix"},  {NULL, NULL},
};

/* A slot is the job's part of a node, because GPUs can be given to slots only. */
static const struct scheduler_directive flux_directives[] = {
    {"--job-name={name}", "--job-name"},
    {"--nodes={nodes}", "--nodes|-N"},
    {"--nslots={nodes}", "--nslots|-n"},
    {"--cores-per-slot={node_cores}", "--cores-per-slot|-c"},
    {"--gpus-per-slot={gpus}", "--gpus-per-slot|-g"},
    {"--exclusive{exclusive}", "--exclusive|-x"},
    {"--time-limit={seconds}s", "--time-limit|-t"},
    {"--signal=SIGUSR1@{notice}s", "--signal"},
    {"--queue={queue}", "--queue|-q"},
    {"--bank={account}", "--bank|-B"},
    {"--requires={constraint}", "--requires"},
    {"--output=job-{{id}}.out", "--output"},
    {NULL, NULL},
};

/* ---- the rows ---- */

/* What PBS and Torque have in common: Torque descends from OpenPBS. */
#define LIKE_PBS                                                                                   \
    .prefix = "#PBS ", .resources = "-l",                                                          \
    .begin = {"cd -- \"$PBS_O_WORKDIR\" || exit 1", "exec >>\"job-$PBS_JOBID.out\" 2>&1"},         \
    .submit = {"qsub", "{after}", "job.sh"}, .after = {"-W", "depend=afterany:{id}"},              \
    .cancel = {"qdel", "{id}"}, .list = {"qstat", "-f", "{id}"}, .jobs = "qstat -u $USER",         \
    .how = ANSWER_ATTRIBUTES, .states = pbs_states, .id = "PBS_JOBID",                             \
    .node_file = "PBS_NODEFILE", .forget = "PBS_"

const struct scheduler schedulers[SCHEDULERS] =
    {
        [SCHEDULER_SLURM] =
            {
                .title = "Slurm",
                .found_by = {"sbatch"},
                .prefix = "#SBATCH ",
                .directives = slurm_directives,
                .resources = "--gres",
                .joined = "--gres=",
                .submit = {"sbatch", "--parsable", "{after}", "job.sh"},
                .after = {"--dependency=afterany:{id}"},
                .id_end = ";", /* the cluster's name follows */
                .cancel = {"scancel", "{id}"},
                .list = {"squeue", "--noheader", "--jobs={id}", "--format=%T|%R"},
                .jobs = "squeue -u $USER",
                .how = ANSWER_FIELDS,
                .states = slurm_states,
                .unknown = {"Invalid job id"},
                .id = "SLURM_JOB_ID",
                .end = "SLURM_JOB_END_TIME",
                .restart = "SLURM_RESTART_COUNT",
                .nodes = "SLURM_JOB_NUM_NODES",
                .cores = "SLURM_JOB_CPUS_PER_NODE",
                .node_list = "SLURM_JOB_NODELIST",
                .launcher = "srun --mpi=pmix (MPICH: srun --mpi=pmi2)",
                .forget = "SLURM_",
                .keep = {"SLURM_CONF", "SLURM_JWT"},
            },
        [SCHEDULER_PBS] =
            {
                .title = "PBS",
                .found_by = {"qsub", "pbs_rstat"},
                .directives = pbs_directives,
                .chunk = "-l select",
                .parts = pbs_parts,
                .lacks = {"qos", "gpu_type"},
                LIKE_PBS,
                .unknown = {"Unknown Job", "has finished"},
                .keep = {"PBS_CONF_FILE", "PBS_SERVER"},
            },
        [SCHEDULER_TORQUE] =
            {
                .title = "Torque",
                .longest_name = 15,
                .found_by = {"qsub", "pbsnodes"},
                .directives = torque_directives,
                .lacks = {"gpu_type"},
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
                .directives = lsf_directives,
                .resources = "-R",
                .whole_words = true,
                .submit = {"bsub", "{after}"},
                .reads_input = true, /* it reads directives only from its input */
                .after = {"-w", "ended({id})"},
                .id_before = "Job <",
                .id_end = ">",
                .cancel = {"bkill", "{id}"},
                .list = {"bjobs", "-noheader", "-o", "stat exec_host delimiter='|'", "{id}"},
                .jobs = "bjobs",
                .how = ANSWER_FIELDS,
                .states = lsf_states,
                .unknown = {"is not found", "No matching job"},
                .id = "LSB_JOBID",
                .task = "LSB_JOBINDEX",
                .node_cores = "LSB_MCPU_HOSTS",
                .node_file = "LSB_DJOB_HOSTFILE",
                .launcher = "jsrun -n {nodes} -r 1 -a {per_node} -c ALL_CPUS -g ALL_GPUS -b none",
                .apart = "CSM_ALLOCATION_ID",
                .forget = "LSB_",
                .keep = {"LSB_DEFAULTQUEUE", "LSB_DEFAULTPROJECT", "LSB_DEFAULT_USERGROUP",
                         "LSB_DEFAULT_JOBGROUP"},
            },
        [SCHEDULER_SGE] =
            {
                .title = "Grid Engine",
                .found_by = {"qsub", "qconf"},
                .prefix = "#$ ",
                .directives = sge_directives,
                .resources = "-l",
                .whole_words = true,
                .lacks = {"qos", "gpu_type"},
                .submit = {"qsub", "-terse", "{after}", "job.sh"},
                .after = {"-hold_jid", "{id}"},
                .id_end = ".", /* the task numbers of an array follow */
                .cancel = {"qdel", "{id}"},
                .list = {"qstat"},
                .jobs = "qstat",
                .how = ANSWER_COLUMNS,
                .column = 4,
                .states = sge_states,
                .unknown = {"does not exist"},
                .id = "JOB_ID",
                .also = "SGE_TASK_ID",
                .task = "SGE_TASK_ID",
                .restart = "RESTARTED",
                .nodes = "NHOSTS",
                .node_file = "PE_HOSTFILE",
            },
        [SCHEDULER_COBALT] =
            {
                .title = "Cobalt",
                .found_by = {"qsub", "partlist"},
                .prefix = "#COBALT ",
                .directives = cobalt_directives,
                .lacks = {"qos", "gpu_type"},
                .begin = {"exec >>\"job-$COBALT_JOBID.out\" 2>&1"},
                .submit = {"qsub", "{after}", "job.sh"},
                .after = {"--dependencies", "{id}"},
                .cancel = {"qdel", "{id}"},
                .list = {"qstat", "--header", "JobID:State:Location", "{id}"},
                .jobs = "qstat -u $USER",
                .how = ANSWER_COLUMNS,
                .column = 1,
                .states = cobalt_states,
                .unknown = {"No jobs found", "not found"},
                .id = "COBALT_JOBID",
                .end = "COBALT_ENDTIME",
                .nodes = "COBALT_JOBSIZE",
                .node_file = "COBALT_NODEFILE",
                .launcher = "aprun -n {ranks} -N {per_node}",
                .forget = "COBALT_",
                .keep = {"COBALT_CONFIG_FILES"},
            },
        [SCHEDULER_FLUX] =
            {
                .title = "Flux",
                .found_by = {"flux"},
                .prefix = "# flux: ",
                .directives = flux_directives,
                .lacks = {"qos", "gpu_type", "mail", "reservation"},
                /* The script runs in a Flux instance of its own, which knows the ID of its job. */
                .begin = {"export WICK_JOB_ID=${FLUX_ENCLOSING_ID:-$(flux getattr jobid)}"},
                .submit = {"flux", "{inside}", "batch", "{after}", "job.sh"},
                .after = {"--dependency=afterany:{id}"},
                .inside = "--parent", /* the instance of a job knows no other jobs */
                .cancel = {"flux", "{inside}", "cancel", "{id}"},
                .list = {"flux", "{inside}", "jobs", "--no-header", "--format={state}|{nodelist}",
                         "{id}"},
                .jobs = "flux jobs",
                .how = ANSWER_FIELDS,
                .states = flux_states,
                .unknown = {"unknown", "not found", "No such"},
                .id = "WICK_JOB_ID",
                .also = "FLUX_URI",
                .node_program = {"flux", "getattr", "hostlist"},
                .launcher = "flux run -N {nodes} --tasks-per-node={per_node}",
            },
        [SCHEDULER_LOCAL] =
            {
                .title = "local",
                .lacks = {"queue", "account", "qos", "constraint", "directives", "mail",
                          "reservation", "exclusive"},
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
