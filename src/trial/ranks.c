/*
 * ranks.c - the environment variables of a rank of a trial, and how mpiexec starts all of them.
 *
 * torch.distributed (env://), Lightning and others read RANK, WORLD_SIZE and the rest; Horovod's
 * gloo controller has names of its own.
 */
#include "comm/comm.h"
#include "meeting/meeting.h"
#include "trial/environment.h"
#include "trial/runner.h"

enum { SRUN_OPTIONS = 5 };

static void add_number(struct str *s, unsigned *count, const char *name, unsigned number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    environment_add(s, count, name, text);
}

/*
 * Gloo uses the interface that the host's name resolves to, which on many machines is a loopback
 * address or nothing at all. So it is told the interface where there is no doubt, unless the user
 * has set it.
 */
static void add_interface(const struct trial_runner *r, struct str *s, unsigned *count)
{
    const struct study_model *model = &r->study->model;
    struct meeting_interface interface = {.name = "lo"};
    if (r->team.local_ranks < r->team.ranks && !meeting_only_interface(&interface))
        return;
    if (!study_variable_value(model, "GLOO_SOCKET_IFNAME"))
        environment_add(s, count, "GLOO_SOCKET_IFNAME", interface.name);
    if (!model->without_horovod && !study_variable_value(model, "HOROVOD_GLOO_IFACE"))
        environment_add(s, count, "HOROVOD_GLOO_IFACE", interface.name);
}

/* One rank needs no store, and Horovod does without one when it has no address. */
static void add_horovod(const struct trial_team *team, struct str *s, unsigned *count)
{
    add_number(s, count, "HOROVOD_RANK", team->rank);
    add_number(s, count, "HOROVOD_SIZE", team->ranks);
    add_number(s, count, "HOROVOD_LOCAL_RANK", team->local_rank);
    add_number(s, count, "HOROVOD_LOCAL_SIZE", team->local_ranks);
    add_number(s, count, "HOROVOD_CROSS_RANK", team->cross_rank);
    add_number(s, count, "HOROVOD_CROSS_SIZE", team->cross_ranks);
    environment_add(s, count, "HOROVOD_CONTROLLER", "gloo");
    environment_add(s, count, "HOROVOD_CPU_OPERATIONS", "gloo");
    if (team->place.store == 0)
        return;
    environment_add(s, count, "HOROVOD_HOSTNAME", team->node);
    environment_add(s, count, "HOROVOD_GLOO_RENDEZVOUS_ADDR", team->place.address);
    add_number(s, count, "HOROVOD_GLOO_RENDEZVOUS_PORT", team->place.store);
}

/*
 * In a Slurm job mpiexec takes the nodes from these variables, and lets srun start its daemons. It
 * sees a job of just these nodes, whose steps may run beside the step that Wick is in.
 */
static void add_slurm(const char *hosts, struct str *s, unsigned *count)
{
    struct str nodes = {0}, tasks = {0};
    unsigned number = 0;
    for (const char *at = hosts; *at; number++) {
        size_t whole = strcspn(at, ","), name = strcspn(at, ":");
        const char *comma = number > 0 ? "," : "";
        str_printf(&nodes, "%s%.*s", comma, (int)name, at);
        str_printf(&tasks, "%s%.*s", comma, (int)(whole - name - 1), at + name + 1);
        at += whole + (at[whole] == ',');
    }
    environment_add(s, count, "SLURM_NODELIST", str_text(&nodes));
    environment_add(s, count, "SLURM_JOB_NODELIST", str_text(&nodes));
    environment_add(s, count, "SLURM_TASKS_PER_NODE", str_text(&tasks));
    add_number(s, count, "SLURM_NNODES", number);
    add_number(s, count, "SLURM_JOB_NUM_NODES", number);
    environment_add(s, count, "SLURM_OVERLAP", "1");
    str_free(&nodes);
    str_free(&tasks);
}

/*
 * Adds a setting of MPI unless the user has one. What mpirun has set for the ranks of Wick does not
 * count, because trials do not inherit it.
 */
static void add_setting(const struct study_model *model, const char *name, const char *value,
                        struct str *s, unsigned *count)
{
    for (size_t i = 0; i < model->environment_count; i++)
        if (strcmp(model->environment[i].name, name) == 0)
            return;
    if (comm_launched().start == COMM_MPI || !getenv(name))
        environment_add(s, count, name, value);
}

/* Wick assigns the cores, and several trials run on a node: MPI must not bind to the first cores.
 */
static void add_mpi(const struct study_model *model, struct str *s, unsigned *count)
{
    static const char *const settings[][2] = {
        {"OMPI_MCA_hwloc_base_binding_policy", "none"},
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"}, /* Open MPI 5 */
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        add_setting(model, settings[i][0], settings[i][1], s, count);
}

/*
 * A program that Wick starts may call mpirun itself. In a Slurm job of several nodes that would use
 * all of them, or fail for want of some variables: it sees a job of this node, with as many slots
 * as the trial has cores, and starts its ranks as its children, so that they stay on these cores.
 */
static void add_own_node(const struct trial_runner *r, struct str *s, unsigned *count)
{
    static const char *const settings[][2] = {{"HYDRA_LAUNCHER", "fork"},
                                              {"I_MPI_HYDRA_BOOTSTRAP", "fork"}};
    const char *node = getenv("SLURMD_NODENAME");
    struct str hosts = {0};
    if (!node || !getenv("SLURM_JOB_ID"))
        return;
    str_printf(&hosts, "%s:%u", node, r->slot->cores);
    add_slurm(hosts.text, s, count);
    add_mpi(&r->study->model, s, count);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        add_setting(&r->study->model, settings[i][0], settings[i][1], s, count);
    str_free(&hosts);
}

void ranks_add_environment(const struct trial_runner *r, struct str *s, unsigned *count)
{
    const struct trial_team *team = &r->team;
    if (!ranks_by_mpi(r))
        add_own_node(r, s, count);
    if (team->ranks == 0)
        return;
    environment_add(s, count, "MASTER_ADDR", team->place.address);
    add_number(s, count, "MASTER_PORT", team->place.port);
    if (r->study->model.launch == LAUNCH_MPI) { /* MPI tells a process which rank it is */
        add_mpi(&r->study->model, s, count);
        if (getenv("SLURM_JOB_ID"))
            add_slurm(team->hosts, s, count);
        return;
    }
    add_number(s, count, "RANK", team->rank);
    add_number(s, count, "WORLD_SIZE", team->ranks);
    add_number(s, count, "LOCAL_RANK", team->local_rank);
    add_number(s, count, "LOCAL_WORLD_SIZE", team->local_ranks);
    add_interface(r, s, count);
    if (!r->study->model.without_horovod)
        add_horovod(team, s, count);
}

bool ranks_by_mpi(const struct trial_runner *r)
{
    return r->team.ranks > 0 && r->study->model.launch == LAUNCH_MPI;
}

const char *const *ranks_launcher(const struct study_model *model)
{
    static const char *const usual[] = {"mpiexec", NULL};
    return model->launcher ? model->launcher : usual;
}

/* "n1,n1,n2" of "n1:2,n2:1": Slurm's names of the nodes, which have no domain, one per rank. */
static void add_node_per_rank(struct str *s, const char *hosts)
{
    for (const char *at = hosts; *at;) {
        size_t whole = strcspn(at, ","), name = strcspn(at, ".:");
        const char *colon = memchr(at, ':', whole);
        for (unsigned long left = colon ? strtoul(colon + 1, NULL, 10) : 1; left > 0; left--)
            str_printf(s, "%s%.*s", s->length > 0 ? "," : "", (int)name, at);
        at += whole + (at[whole] == ',');
    }
}

/*
 * srun has other words for the places of the ranks. Its step runs beside the one that Wick is in.
 * The options of the user come later and win.
 */
static size_t add_srun(const struct trial_runner *r, char **all, size_t used, struct arena *arena)
{
    static const char *const options[] = {"--overlap", "--overcommit", "--cpu-bind=none",
                                          "--distribution=arbitrary"};
    struct str nodes = {0};
    add_node_per_rank(&nodes, r->team.hosts);
    for (size_t i = 0; i < SRUN_OPTIONS - 1; i++)
        all[used++] = arena_copy(arena, options[i], strlen(options[i]));
    all[used++] = arena_printf(arena, "--nodelist=%s", str_text(&nodes));
    str_free(&nodes);
    return used;
}

static bool is_srun(const char *program)
{
    const char *slash = program ? strrchr(program, '/') : NULL;
    return program && strcmp(slash ? slash + 1 : program, "srun") == 0;
}

/* The words of the launcher with the number and the places of the ranks; returns how many. */
static size_t add_launcher(const struct trial_runner *r, char **all, struct arena *arena)
{
    const char *const *launcher = ranks_launcher(&r->study->model);
    size_t used = 0;
    bool by_srun = is_srun(launcher[0]);
    all[used++] = arena_copy(arena, launcher[0], strlen(launcher[0]));
    if (by_srun && getenv("SLURM_JOB_ID")) /* else it makes a job of its own */
        used = add_srun(r, all, used, arena);
    for (size_t i = 1; launcher[i]; i++)
        all[used++] = arena_copy(arena, launcher[i], strlen(launcher[i]));
    all[used++] = arena_printf(arena, "-n");
    all[used++] = arena_printf(arena, "%u", r->team.ranks);
    if (!by_srun) {
        all[used++] = arena_printf(arena, "-host");
        all[used++] = arena_printf(arena, "%s", r->team.hosts);
    }
    return used;
}

/*
 * mpiexec -n 4 -host n1:2,n2:2 env NAME=value ... program. Open MPI and MPICH both understand it,
 * and srun has options of its own; with `env` they need not agree on how variables get to other
 * nodes. A name alone is unset: env wants these first.
 */
char **ranks_command(const struct trial_runner *r, char **argv, const struct str *variables,
                     unsigned variable_count, struct arena *arena)
{
    const char *const *launcher = ranks_launcher(&r->study->model);
    size_t words = 7 + SRUN_OPTIONS + 2 * variable_count; /* and what is counted next */
    for (size_t i = 1; launcher[i]; i++)
        words++;
    for (size_t i = 0; argv[i]; i++)
        words++;
    char **all = arena_new(arena, words, sizeof *all);
    size_t used = add_launcher(r, all, arena);
    all[used++] = arena_printf(arena, "env");
    const char *at = variables->text;
    for (unsigned i = 0; i < variable_count; i++, at += strlen(at) + 1)
        if (!strchr(at, '=')) {
            all[used++] = arena_printf(arena, "-u");
            all[used++] = arena_copy(arena, at, strlen(at));
        }
    at = variables->text;
    for (unsigned i = 0; i < variable_count; i++, at += strlen(at) + 1)
        if (strchr(at, '='))
            all[used++] = arena_copy(arena, at, strlen(at));
    for (; *argv; argv++)
        all[used++] = *argv;
    return all;
}
