/* launch.c - how a process was started, judged by the variables that launchers really set. */
#include "comm/comm.h"
#include "tap.h"

static const char *const variables[] = {
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "PMIX_RANK",
    "PMI_RANK",
    "PMI_SIZE",
    "SLURM_PROCID",
    "SLURM_NTASKS",
    "SLURM_STEP_NUM_TASKS",
    "JSM_NAMESPACE_RANK",
    "JSM_NAMESPACE_SIZE",
};

static const struct {
    const char *name, *values[10]; /* values of the variables, in this order */
    struct comm_launch launch;
} cases[] = {
    {"by hand", {NULL}, {COMM_ALONE, 0, 1, ""}},
    {"mpirun of Open MPI", {"2", "4", "2"}, {COMM_MPI, 2, 4, "openmpi"}},
    {"the same with one rank", {"0", "1", "0"}, {COMM_ALONE, 0, 1, ""}},
    {"the same in a job, whose daemons are a step",
     {"1", "2", "1", NULL, NULL, "0", "1", "1"},
     {COMM_MPI, 1, 2, "openmpi"}},
    {"srun --mpi=pmix", {NULL, NULL, "1", NULL, NULL, "1", "2", "2"}, {COMM_MPI, 1, 2, "openmpi"}},
    {"jsrun",
     {NULL, NULL, "1", NULL, NULL, NULL, NULL, NULL, "1", "2"},
     {COMM_MPI, 1, 2, "openmpi"}},
    {"mpiexec of MPICH", {NULL, NULL, NULL, "3", "4"}, {COMM_MPI, 3, 4, "mpich"}},
    {"srun --mpi=pmi2", {NULL, NULL, NULL, "1", "2", "1", "2", "2"}, {COMM_MPI, 1, 2, "mpich"}},
    {"srun without MPI", {NULL, NULL, NULL, NULL, NULL, "1", "2", "2"}, {COMM_COPIES, 1, 2, ""}},
    {"srun of one", {NULL, NULL, NULL, NULL, NULL, "0", "1", "1"}, {COMM_ALONE, 0, 1, ""}},
    {"a batch script with several tasks",
     {NULL, NULL, NULL, NULL, NULL, "0", "8"},
     {COMM_ALONE, 0, 1, ""}},
    {"nonsense", {"x", "4", "-1", "7", "4"}, {COMM_ALONE, 0, 1, ""}},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t j = 0; j < sizeof variables / sizeof *variables; j++) {
            unsetenv(variables[j]);
            if (cases[i].values[j])
                setenv(variables[j], cases[i].values[j], 1);
        }
        struct comm_launch got = comm_launched(), expected = cases[i].launch;
        ok(got.start == expected.start && got.rank == expected.rank && got.size == expected.size &&
               strcmp(got.mpi, expected.mpi) == 0,
           "%s", cases[i].name);
    }
    return tap_end();
}
