/*
 * nodes.c - whether all nodes of a job see the same folder. A folder may exist on each of them and
 * still be another one, such as a local /scratch.
 *
 * The doctor of each other node creates a file that names the node, and that of the first node
 * removes all that it finds: a file that stays was created in another folder.
 */
#include "doctor/look.h"

#include "comm/comm.h"
#include "launch/launch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char PREFIX[] = ".wick-doctor-on-";
static const double FIRST_WAITS = 20, OTHERS_WAIT = 60; /* seconds */

static uint64_t number_in(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : 0;
}

/* The number of nodes on which this doctor runs, as far as srun tells; 0: unknown. */
static uint64_t exact_nodes(void)
{
    return getenv("OMPI_COMM_WORLD_LOCAL_SIZE") ? 0 : number_in("SLURM_STEP_NUM_NODES");
}

/* The most that there can be, if mpiexec puts about as many ranks on each of them. */
static uint64_t most_nodes(const struct comm_launch *launched)
{
    static const char *const locals[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
    uint64_t most = launch_here().nodes, size = (uint64_t)launched->size;
    for (size_t i = 0; i < 2; i++) {
        uint64_t local = number_in(locals[i]), nodes = local > 0 ? (size + local - 1) / local : 0;
        if (nodes > 0 && (most == 0 || nodes < most))
            most = nodes;
    }
    return most;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

/* A client of NFS keeps an old list of files until it changes something in the folder itself. */
static void refresh(const char *dir)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/.wick-doctor-first", dir) < (int)sizeof path &&
        mkdir(path, 0700) == 0)
        rmdir(path);
}

/* Removes the files of other nodes; returns how many there were. */
static uint64_t remove_files(const char *path)
{
    uint64_t removed = 0;
    struct dirent *entry;
    refresh(path);
    DIR *dir = opendir(path);
    while (dir && (entry = readdir(dir)))
        removed += strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) == 0 &&
                   unlinkat(dirfd(dir), entry->d_name, 0) == 0;
    if (dir)
        closedir(dir);
    return removed;
}

static void look_as_first(struct look *look, const char *dir, uint64_t nodes, bool is_exact)
{
    uint64_t found = 1;
    double start = clock_now();
    while ((found += remove_files(dir)) < nodes && clock_now() < start + FIRST_WAITS)
        nap();
    if (found >= nodes || (found > 1 && !is_exact))
        look_tell(look, "nodes", DOCTOR_GOOD,
                  look_say(look, "%llu nodes see this folder", (unsigned long long)found), NULL);
    else
        look_tell(look, "nodes", DOCTOR_BAD,
                  look_say(look, "only %llu of %llu see this folder", (unsigned long long)found,
                           (unsigned long long)nodes),
                  "the others have another one, or none, under this path: keep studies on a file "
                  "system that all nodes share");
}

static void look_as_other(struct look *look, const char *dir)
{
    char host[256] = "", path[PATH_MAX];
    gethostname(host, sizeof host - 1);
    if (snprintf(path, sizeof path, "%s/%s%s", dir, PREFIX, host) >= (int)sizeof path)
        return;
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return; /* a folder that cannot be written to is reported anyway */
    close(fd);
    double start = clock_now();
    while (access(path, F_OK) == 0 && clock_now() < start + OTHERS_WAIT)
        nap();
    if (unlink(path) == 0)
        look_tell(look, "nodes", DOCTOR_BAD,
                  look_say(look, "%s is another folder here than on the first node", dir),
                  "keep studies on a file system that all nodes share");
}

void look_nodes(struct look *look, const char *dir)
{
    struct comm_launch launched = comm_launched();
    uint64_t exact = exact_nodes(), nodes = exact ? exact : most_nodes(&launched);
    if (launched.start == COMM_ALONE || nodes < 2)
        return;
    if (look->question->other)
        look_as_other(look, dir);
    else
        look_as_first(look, dir, nodes, exact > 0);
}
