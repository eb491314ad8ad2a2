/*
 * mpi.c - finds and loads the plug-in for an MPI, and passes the calls to it.
 *
 * The MPI family is the one that the program itself was linked with, if any (the C library),
 * otherwise $WICK_MPI, otherwise the one that started this process, otherwise the first that has a
 * plug-in.
 */
#include "comm/mpi/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const families[] = {"openmpi", "mpich", NULL};
enum { FAMILIES = sizeof families / sizeof *families - 1 };

/* ---- which family ---- */

/* The family of the MPI that is already in this process; NULL: there is none. */
static const char *family_loaded(void)
{
    int (*version)(char *, int *);
    *(void **)&version = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
    if (!version)
        return NULL;
    char text[16384]; /* no MPI has a larger MPI_MAX_LIBRARY_VERSION_STRING */
    int length = 0;
    text[0] = 0;
    version(text, &length);
    return strstr(text, "Open MPI") ? "openmpi" : "mpich"; /* the others have the ABI of MPICH */
}

static int missing_plugin(const char *family, const char *sought, struct err *e)
{
    const char *package = strcmp(family, "openmpi") == 0 ? "libopenmpi-dev"
                          : strcmp(family, "mpich") == 0 ? "libmpich-dev"
                                                         : NULL;
    err_set(e, ERR_USER, "there is no plug-in wick-%s.so in %s: ", family, sought);
    size_t end = strlen(e->message), room = sizeof e->message - end;
    if (package)
        snprintf(e->message + end, room,
                 "install the package %s and build Wick again, or set WICK_MPI to the file",
                 package);
    else
        snprintf(e->message + end, room, "set WICK_MPI to openmpi, mpich or the file");
    return e->code;
}

static int choose_plugin(char path[PATH_MAX], struct err *e)
{
    const char *wanted = getenv("WICK_MPI"), *loaded = family_loaded();
    if (wanted && strchr(wanted, '/')) {
        snprintf(path, PATH_MAX, "%s", wanted);
        return 0;
    }
    const char *family = loaded ? loaded : wanted && *wanted ? wanted : comm_launched().mpi;
    const char *const *first = *family ? &family : families;
    size_t count = *family ? 1 : FAMILIES;
    struct str sought = {0};
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        char name[64];
        snprintf(name, sizeof name, "wick-%s.so", first[i]);
        str_clear(&sought);
        found = installed_find(name, path, &sought);
    }
    int code = found ? 0 : missing_plugin(first[0], sought.text, e);
    str_free(&sought);
    return code;
}

/* ---- loading ---- */

/*
 * Loads a plug-in; NULL with *e if that fails. Its symbols are global, because an MPI loads parts
 * of itself that expect to find them.
 */
static const struct comm_plugin *load_plugin(const char *path, struct err *e)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const struct comm_plugin *plugin = library ? dlsym(library, COMM_PLUGIN_SYMBOL) : NULL;
    if (!library)
        err_set(e, ERR_USER, "cannot load the MPI plug-in: %s; set WICK_MPI to %s", dlerror(),
                "openmpi, mpich or the path of the plug-in");
    else if (!plugin)
        err_set(e, ERR_USER, "%s is not a Wick plug-in", path);
    else if (plugin->version != COMM_PLUGIN_VERSION)
        err_set(e, ERR_USER,
                "%s belongs to another version of Wick (its interface is %d, not %d): build or "
                "install both together",
                path, plugin->version, COMM_PLUGIN_VERSION);
    return e->code ? NULL : plugin;
}

/* ---- trying ---- */

const char *const *comm_mpi_families(void)
{
    return families;
}

/* In a child: writes "+" and the version, or "-" and the error. */
_Noreturn static void tell_version(const char *path, int line)
{
    enum { PATIENCE = 10 }; /* seconds: the file system of a library may hang */
    struct err e = {0};
    char text[16384] = "+"; /* no MPI has a larger MPI_MAX_LIBRARY_VERSION_STRING */
    int length = 0, nothing = open("/dev/null", O_RDWR);
    int (*version)(char *, int *) = NULL;
    dup2(nothing, STDOUT_FILENO); /* some libraries print messages */
    dup2(nothing, STDERR_FILENO);
    alarm(PATIENCE);
    if (!load_plugin(path, &e))
        snprintf(text, sizeof text, "-%s", e.message);
    else
        *(void **)&version = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
    if (version)
        version(text + 1, &length);
    size_t all = strlen(text);
    _exit(write(line, text, all) == (ssize_t)all ? 0 : 1);
}

int comm_mpi_probe(const char *family, char path[PATH_MAX], struct str *version, struct err *e)
{
    struct str sought = {0}, said = {0};
    char name[64], part[4096];
    int line[2];
    snprintf(name, sizeof name, "wick-%s.so", family);
    path[0] = 0;
    if (!installed_find(name, path, &sought)) {
        path[0] = 0;
        missing_plugin(family, sought.text, e);
    }
    str_free(&sought);
    if (!path[0])
        return e->code;
    if (pipe2(line, O_CLOEXEC) != 0)
        return err_system(e, "cannot create a pipe");
    pid_t pid = fork();
    if (pid == 0)
        tell_version(path, line[1]);
    close(line[1]);
    for (ssize_t got; (got = read(line[0], part, sizeof part)) > 0 || (got < 0 && errno == EINTR);)
        if (got > 0)
            str_add_bytes(&said, part, (size_t)got);
    close(line[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    if (said.length == 0)
        err_set(e, ERR_SYSTEM, "loading %s crashes the process or takes too long", path);
    else if (said.text[0] == '-')
        err_set(e, ERR_USER, "%s", said.text + 1);
    else
        str_add(version, said.text + 1);
    str_free(&said);
    return e->code;
}

/* ---- starting ---- */

int comm_mpi_open(struct comm **comm, struct err *e)
{
    char path[PATH_MAX];
    if (choose_plugin(path, e) != 0)
        return e->code;
    const struct comm_plugin *plugin = load_plugin(path, e);
    if (!plugin || plugin->open(comm, e) != 0)
        return e->code;
    (*comm)->plugin = plugin;
    struct comm_launch launch = comm_launched();
    if ((*comm)->size > 1 || launch.size <= 1)
        return 0;
    err_set(e, ERR_USER,
            "%s sees only this process, though %d were started: start it with the mpiexec of that "
            "MPI, or leave WICK_MPI unset",
            plugin->describe(*comm), launch.size);
    plugin->close(*comm);
    return e->code;
}

/* ---- the calls ---- */

const char *comm_mpi_version(const struct comm *comm)
{
    return comm->plugin->describe(comm);
}

void comm_mpi_run(struct comm *comm, const struct comm_actor *actor)
{
    comm->plugin->run(comm, actor);
}

void comm_mpi_begin(struct comm *comm, const struct comm_actor *actor)
{
    comm->plugin->begin(comm, actor);
}

void comm_mpi_wait(struct comm *comm, const bool *done)
{
    comm->plugin->wait(comm, done);
}

int comm_mpi_group(struct comm *comm, const int *ranks, int count, int tag, void *communicator,
                   struct err *e)
{
    return comm->plugin->group(comm, ranks, count, tag, communicator, e);
}

void comm_mpi_ungroup(struct comm *comm, void *communicator)
{
    comm->plugin->ungroup(comm, communicator);
}

void comm_mpi_end(struct comm *comm)
{
    comm->plugin->end(comm);
}

void comm_mpi_close(struct comm *comm)
{
    comm->plugin->close(comm);
}
