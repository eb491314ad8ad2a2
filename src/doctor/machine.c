/* machine.c - cores, memory, open files and space: what the machine has and what we may use. */
#include "doctor/look.h"

#include "comm/comm.h"
#include "machine/machine.h"

#include <errno.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

static const double MIB = 1 << 20;

/* ---- control groups ---- */

/*
 * Finds the control group of this process: the line "N:CONTROLLERS:PATH" of /proc/self/cgroup that
 * names the controller, or, in version 2, the one that names none.
 */
static bool find_group(const char *controller, char path[PATH_MAX])
{
    char line[PATH_MAX + 256];
    bool found = false;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        char *names = strchr(line, ':'), *place = names ? strchr(names + 1, ':') : NULL;
        if (!place)
            continue;
        *place++ = 0;
        place[strcspn(place, "\n")] = 0;
        size_t length = strlen(controller);
        for (const char *name = names + 1; name && !found; name = strchr(name, ',')) {
            name += *name == ',';
            found = strncmp(name, controller, length) == 0 &&
                    (name[length] == 0 || name[length] == ',');
        }
        if (found)
            snprintf(path, PATH_MAX, "%s", strcmp(place, "/") == 0 ? "" : place);
    }
    if (file)
        fclose(file);
    return found;
}

typedef double read_limit(struct look *look, const char *folder);

/* The lowest limit of a group and of all groups that contain it; INFINITY: there is none. */
static double least_limit(struct look *look, const char *root, const char *controller,
                          read_limit *read)
{
    char path[PATH_MAX];
    if (access(root, F_OK) != 0 || !find_group(controller, path))
        return INFINITY;
    double least = INFINITY;
    for (;;) {
        struct str folder = {0};
        str_printf(&folder, "%s%s", root, path);
        least = fmin(least, read(look, folder.text)); /* INFINITY if the folder does not exist */
        str_free(&folder);
        char *slash = strrchr(path, '/');
        if (!slash)
            return least;
        *slash = 0;
    }
}

static double number_in(struct look *look, const char *folder, const char *name)
{
    double number;
    const char *text = look_file(look, look_say(look, "%s/%s", folder, name));
    return str_number(text, &number) && number >= 0 ? number : INFINITY;
}

static double memory_of_version_1(struct look *look, const char *folder)
{
    double bytes = number_in(look, folder, "memory.limit_in_bytes");
    return bytes < 1e18 ? bytes : INFINITY; /* a very large number means that there is no limit */
}

static double memory_of_version_2(struct look *look, const char *folder)
{
    return number_in(look, folder, "memory.max");
}

static double cores_of_version_1(struct look *look, const char *folder)
{
    double quota = number_in(look, folder, "cpu.cfs_quota_us");
    return quota / number_in(look, folder, "cpu.cfs_period_us");
}

static double cores_of_version_2(struct look *look, const char *folder)
{
    double quota, period;
    const char *text = look_file(look, look_say(look, "%s/cpu.max", folder));
    return sscanf(text, "%lf %lf", &quota, &period) == 2 ? quota / period : INFINITY;
}

static double group_limit(struct look *look, const char *controller, read_limit *version_1,
                          read_limit *version_2)
{
    const char *root = look_say(look, "/sys/fs/cgroup/%s", controller);
    double limit = least_limit(look, root, controller, version_1);
    limit = fmin(limit, least_limit(look, "/sys/fs/cgroup/unified", "", version_2));
    return fmin(limit, least_limit(look, "/sys/fs/cgroup", "", version_2));
}

/* ---- cores and memory ---- */

static void look_host(struct look *look)
{
    struct utsname name;
    char line[256], release[128] = "";
    FILE *file = fopen("/etc/os-release", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "PRETTY_NAME=\"%127[^\"]\"", release) == 1)
            break;
    if (file)
        fclose(file);
    if (uname(&name) == 0)
        look_tell(look, "host", DOCTOR_GOOD,
                  look_say(look, "%s: %s%sLinux %s, %s", name.nodename, release,
                           *release ? ", " : "", name.release, name.machine),
                  NULL);
}

/* The number of cores that Wick assigns to its workers here. */
static unsigned cores_of_wick(void)
{
    struct study any = {0};
    struct err e = {0};
    unsigned workers = 1;
    machine_workers(&any, &workers, &e);
    return workers;
}

static void look_cores(struct look *look)
{
    double all = (double)sysconf(_SC_NPROCESSORS_ONLN), ours = cores_of_wick();
    double quota = group_limit(look, "cpu", cores_of_version_1, cores_of_version_2);
    const char *text = look_say(look, "%.0f of %s", ours, look_count(look, all, "core"));
    if (quota < ours - 0.01)
        look_tell(look, "cores", DOCTOR_WARNING,
                  look_say(look, "%s, but a control group limits this process to %g", text, quota),
                  look_say(look, "use --workers %.0f: more would only wait for each other",
                           fmax(1, floor(quota))));
    else if (ours == 1 && all > 1 && comm_launched().start == COMM_ALONE)
        look_tell(look, "cores", DOCTOR_WARNING, text,
                  "this process is bound to one core: ask the scheduler for more "
                  "(srun --cpus-per-task, `job: {cores: ...}`), or start it without binding");
    else
        look_tell(look, "cores", DOCTOR_GOOD, text, NULL);
}

static double memory_line(const char *name)
{
    char line[256];
    double kilobytes = NAN;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && isnan(kilobytes) && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), ": %lf", &kilobytes);
    if (file)
        fclose(file);
    return kilobytes * 1024;
}

static void look_memory(struct look *look)
{
    double all = memory_line("MemTotal"), left = memory_line("MemAvailable");
    double limit = group_limit(look, "memory", memory_of_version_1, memory_of_version_2);
    bool limited = limit < all;
    double ours = fmin(limited ? limit : all, left), each = ours / cores_of_wick();
    const char *text =
        look_say(look, "%s of %s free%s%s", look_bytes(look, left), look_bytes(look, all),
                 limited ? ", and a control group limits this process to " : "",
                 limited ? look_bytes(look, limit) : "");
    if (each < 256 * MIB)
        look_tell(look, "memory", DOCTOR_WARNING,
                  look_say(look, "%s: %s per core", text, look_bytes(look, each)),
                  "ask the scheduler for more (`job: {memory: 4G}` per worker), or use fewer "
                  "workers");
    else
        look_tell(look, "memory", DOCTOR_GOOD, text, NULL);
}

/* ---- limits ---- */

static const char *say_limit(struct look *look, rlim_t limit)
{
    return limit == RLIM_INFINITY ? "no limit" : look_say(look, "%llu", (unsigned long long)limit);
}

static void look_limits(struct look *look)
{
    struct rlimit files, processes;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        bool few = files.rlim_max < 1024;
        look_tell(look, "open files", few ? DOCTOR_WARNING : DOCTOR_GOOD,
                  look_say(look, "%s, at most %s", say_limit(look, files.rlim_cur),
                           say_limit(look, files.rlim_max)),
                  few ? "each worker needs about ten: raise the limit in "
                        "/etc/security/limits.conf, or ask the site to"
                      : NULL);
    }
    if (getrlimit(RLIMIT_NPROC, &processes) == 0 && processes.rlim_cur < 1024)
        look_tell(
            look, "processes", DOCTOR_WARNING,
            look_say(look, "%s per user", say_limit(look, processes.rlim_cur)),
            "each worker needs a few, and Python's libraries many threads: raise the limit with "
            "`ulimit -u`, or ask the site to");
}

/* ---- space ---- */

/* A folder for files; `who` uses it, and `remedy` is what to do if it has too little space. */
struct scratch {
    const char *subject, *folder;
    double least;
    const char *who, *remedy;
};

static void look_space(struct look *look, const struct scratch *scratch)
{
    struct statvfs info;
    const char *problem = NULL;
    double left = 0;
    if (statvfs(scratch->folder, &info) != 0) {
        problem = strerror(errno);
    } else {
        left = (double)info.f_bavail * (double)info.f_frsize;
        if (access(scratch->folder, W_OK) != 0)
            problem = "not writable";
        else if (left < scratch->least)
            problem = look_say(look, "only %s free", look_bytes(look, left));
    }
    bool other = strcmp(scratch->subject, scratch->folder) != 0;
    const char *text = problem ? problem : look_say(look, "%s free", look_bytes(look, left));
    look_tell(look, scratch->subject, problem ? DOCTOR_WARNING : DOCTOR_GOOD,
              other ? look_say(look, "%s: %s", scratch->folder, text) : look_say(look, "%s", text),
              problem ? look_say(look, "%s need it: %s", scratch->who, scratch->remedy) : NULL);
}

void look_machine(struct look *look)
{
    const char *own = getenv("TMPDIR");
    look_host(look);
    look_cores(look);
    look_memory(look);
    look_limits(look);
    look_space(look, &(struct scratch){"/tmp", "/tmp", 100 * MIB, "sockets and temporary files",
                                       "free some space, or set TMPDIR to another folder"});
    if (own && *own && strcmp(own, "/tmp") != 0)
        look_space(look, &(struct scratch){"TMPDIR", own, 100 * MIB, "temporary files",
                                           "set TMPDIR to another folder, or unset it"});
    look_space(look, &(struct scratch){
                         "/dev/shm", "/dev/shm", 64 * MIB, "MPI and the data loaders of PyTorch",
                         "free some space, or ask the site (in a container: --shm-size)"});
}
