/*
 * nodes.c - whether all nodes of a job see the same folder. A folder may exist on each of them and
 * still be another one, such as a local /scratch.
 *
 * The doctor of each other node creates a file with a name that nobody can guess, and that of the
 * first node removes all that it finds: a file that stays was created in another folder. In a
 * folder where others can write, too, only files of the user who asks count and are removed.
 */
#include "doctor/look.h"

#include "comm/comm.h"
#include "launch/launch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char PREFIX[] = ".wick-doctor-on-", SUFFIX[] = ".tmp";
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

/*
 * A client of NFS keeps an old list of files until it changes something in the folder itself. Fills
 * the user to whom our files belong there, who may be nobody; false if none can be made.
 */
static bool refresh(const char *dir, uid_t *user)
{
    char path[PATH_MAX];
    struct stat info;
    if (snprintf(path, sizeof path, "%s/.wick-doctor-XXXXXX", dir) >= (int)sizeof path ||
        !mkdtemp(path))
        return false;
    bool known = lstat(path, &info) == 0;
    if (known)
        *user = info.st_uid;
    rmdir(path);
    return known;
}

/* True for the file of another node, as str_create_beside() makes it. */
static bool is_ours(int dir, const char *name, uid_t user)
{
    struct stat info;
    size_t length = strlen(name), end = sizeof SUFFIX - 1;
    return strncmp(name, PREFIX, sizeof PREFIX - 1) == 0 && length > end &&
           strcmp(name + length - end, SUFFIX) == 0 &&
           fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) &&
           info.st_size == 0 && info.st_uid == user;
}

/* Removes the files of other nodes; returns how many there were. */
static uint64_t remove_files(const char *path)
{
    uint64_t removed = 0;
    uid_t user;
    struct dirent *entry;
    DIR *dir = refresh(path, &user) ? opendir(path) : NULL;
    while (dir && (entry = readdir(dir)))
        removed +=
            is_ours(dirfd(dir), entry->d_name, user) && unlinkat(dirfd(dir), entry->d_name, 0) == 0;
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

static void await_removal(struct look *look, const char *dir, const char *path)
{
    double start = clock_now();
    while (access(path, F_OK) == 0 && clock_now() < start + OTHERS_WAIT)
        nap();
    if (unlink(path) == 0)
        look_tell(look, "nodes", DOCTOR_BAD,
                  look_say(look, "%s is another folder here than on the first node", dir),
                  "keep studies on a file system that all nodes share");
}

static void look_as_other(struct look *look, const char *dir)
{
    char host[256] = "";
    struct str path = {0}, name = {0};
    gethostname(host, sizeof host - 1);
    str_printf(&path, "%s/%s%s", dir, PREFIX, host);
    int fd = str_create_beside(&name, path.text, 0600);
    if (fd >= 0) { /* a folder that cannot be written to is reported anyway */
        close(fd);
        await_removal(look, dir, name.text);
    }
    str_free(&path);
    str_free(&name);
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
