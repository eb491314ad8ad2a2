/*
 * launch.c - how this process was started, judging by its environment alone.
 *
 *   mpirun of Open MPI             OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE (and PMIX_RANK)
 *   jsrun                          the same, and JSM_NAMESPACE_RANK, JSM_NAMESPACE_SIZE
 *   srun --mpi=pmix                PMIX_RANK, SLURM_STEP_NUM_TASKS
 *   mpiexec of the MPICH family    PMI_RANK, PMI_SIZE
 *   srun --mpi=pmi2, cray_shasta   PMI_RANK, PMI_SIZE
 *   flux run                       PMI_RANK, PMI_SIZE
 *   srun without MPI               SLURM_PROCID, SLURM_STEP_NUM_TASKS
 *   a batch script of Slurm        SLURM_PROCID, SLURM_NTASKS, but none of a step: one process
 *
 * MPI launchers start their own daemons with srun, so the Slurm variables that their ranks see
 * count daemons. That is why the variables of MPI come first.
 */
#include "comm/comm.h"

#include <limits.h>

/* The value of a variable that is a number from 0 up; -1: it is not set, or not such a number. */
static int number_of(const char *name)
{
    const char *text = getenv(name);
    if (!text || *text < '0' || *text > '9')
        return -1;
    char *end;
    long number = strtol(text, &end, 10);
    return *end || number > INT_MAX ? -1 : (int)number;
}

struct comm_launch comm_launched(void)
{
    static const struct {
        const char *rank, *size, *mpi;
    } launchers[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi"},
        {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "openmpi"},
        {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "openmpi"},
        {"PMIX_RANK", "SLURM_NTASKS", "openmpi"},
        {"PMI_RANK", "PMI_SIZE", "mpich"},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", ""},
    };
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        int rank = number_of(launchers[i].rank), size = number_of(launchers[i].size);
        if (size < 1 || rank < 0 || rank >= size)
            continue;
        if (size == 1)
            break;
        enum comm_start start = *launchers[i].mpi ? COMM_MPI : COMM_COPIES;
        return (struct comm_launch){start, rank, size, launchers[i].mpi};
    }
    return (struct comm_launch){COMM_ALONE, 0, 1, ""};
}
