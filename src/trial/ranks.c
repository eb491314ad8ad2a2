/*
 * ranks.c - the environment variables of a rank of a trial, and how mpiexec starts all of them.
 *
 * torch.distributed (env://), Lightning and others read RANK, WORLD_SIZE and the rest; Horovod's
 * gloo controller has names of its own.
 */
#include "meeting/meeting.h"
#include "trial/environment.h"
#include "trial/runner.h"

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
    if (!study_variable_value(model, "HOROVOD_GLOO_IFACE"))
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
        if (!study_variable_value(model, settings[i][0]))
            environment_add(s, count, settings[i][0], settings[i][1]);
}

void ranks_add_environment(const struct trial_runner *r, struct str *s, unsigned *count)
{
    const struct trial_team *team = &r->team;
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

/*
 * mpiexec -n 4 -host n1:2,n2:2 env NAME=value ... program. Open MPI and MPICH both understand it,
 * and with `env` they need not agree on how variables get to other nodes. A name alone is unset:
 * env wants these first.
 */
char **ranks_command(const struct trial_runner *r, char **argv, const struct str *variables,
                     unsigned variable_count, struct arena *arena)
{
    const char *const *launcher = ranks_launcher(&r->study->model);
    size_t used = 0, words = 6 + 2 * variable_count;
    for (size_t i = 0; launcher[i]; i++)
        words++;
    for (size_t i = 0; argv[i]; i++)
        words++;
    char **all = arena_new(arena, words, sizeof *all);
    for (; launcher[used]; used++)
        all[used] = arena_copy(arena, launcher[used], strlen(launcher[used]));
    all[used++] = arena_printf(arena, "-n");
    all[used++] = arena_printf(arena, "%u", r->team.ranks);
    all[used++] = arena_printf(arena, "-host");
    all[used++] = arena_printf(arena, "%s", r->team.hosts);
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
