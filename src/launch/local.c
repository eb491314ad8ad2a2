/*
 * local.c - jobs without a scheduler: a process of this machine in a session of its own.
 *
 * Its ID is PID.START@HOST, where START is the start time of the process in kernel ticks, which
 * differs for a later process with the same PID. A job that waits for another one is the process
 * that will become the job; until then its name is WAITS.
 */
#include "launch/schedulers.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char WAITS[] = "wick-waits";

struct local_job {
    pid_t pid;
    unsigned long long start;
    char host[65];
};

static void host_of(char host[65])
{
    if (gethostname(host, 65) != 0)
        host[0] = 0;
    host[64] = 0;
    for (char *c = host; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '-')
            *c = '_';
}

static bool read_id(const char *id, struct local_job *job)
{
    int pid;
    *job = (struct local_job){0};
    if (sscanf(id, "%d.%llu@%64[A-Za-z0-9._-]", &pid, &job->start, job->host) != 3 || pid <= 1)
        return false;
    job->pid = pid;
    return true;
}

/* Reads what the kernel says about a process; false if there is no such process. */
static bool look(pid_t pid, char name[32], char *state, unsigned long long *start)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return false;
    text[length] = 0;
    const char *open_bracket = strchr(text, '('), *close_bracket = strrchr(text, ')');
    if (!open_bracket || !close_bracket)
        return false;
    snprintf(name, 32, "%.*s", (int)(close_bracket - open_bracket - 1), open_bracket + 1);
    return sscanf(close_bracket + 1,
                  " %c%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s %llu", state,
                  start) == 2;
}

static enum launch_state state_of(const struct local_job *job)
{
    char host[65], name[32], state;
    unsigned long long start;
    host_of(host);
    if (strcmp(host, job->host) != 0)
        return LAUNCH_UNKNOWN;
    if (!look(job->pid, name, &state, &start) || start != job->start || state == 'Z' ||
        state == 'X')
        return LAUNCH_ENDED;
    return strcmp(name, WAITS) == 0 ? LAUNCH_WAITING : LAUNCH_RUNNING;
}

void local_ask(const char *id, struct launch_report *report)
{
    static const char *const words[] = {"", "waiting", "running", "", "ended"};
    struct local_job job;
    report->state = read_id(id, &job) ? state_of(&job) : LAUNCH_ENDED;
    snprintf(report->word, sizeof report->word, "%s", words[report->state]);
    if (report->state == LAUNCH_RUNNING || report->state == LAUNCH_UNKNOWN)
        snprintf(report->detail, sizeof report->detail, "on %s", job.host);
}

int local_cancel(const char *id, struct err *e)
{
    struct local_job job;
    if (!read_id(id, &job))
        return err_set(e, ERR_USER, "'%s' is not the ID of a local job", id);
    enum launch_state state = state_of(&job);
    if (state == LAUNCH_UNKNOWN)
        return err_set(e, ERR_USER, "job %s is a process on %s: cancel it there", id, job.host);
    if (state != LAUNCH_ENDED && kill(-job.pid, SIGTERM) != 0 && errno != ESRCH)
        return err_system(e, "cannot end job %s", id);
    return 0;
}

/* ---- starting a job ---- */

/* Prepared before the fork; the new process fills in what is known only then. */
struct start {
    const char *dir;
    struct local_job after; /* pid is 0: it waits for none */
    char **environment;     /* its last variable is `variable` */
    char variable[LAUNCH_ID + 16];
    const char *id; /* points into `variable` */
    int line;       /* pipe to the process that submits: an errno (0: none), then the ID */
};

static void wait_for(const struct local_job *job)
{
    struct timespec moment = {.tv_nsec = 200000000};
    for (enum launch_state state = state_of(job);
         state == LAUNCH_WAITING || state == LAUNCH_RUNNING; state = state_of(job))
        nanosleep(&moment, NULL);
}

/* Closes everything that was inherited: a waiting job would otherwise hold the lock of a study. */
static void close_all(int but)
{
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = STDERR_FILENO + 1; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
        if (fd != but)
            close(fd);
}

static bool open_output(const char *id)
{
    char name[LAUNCH_ID + 16];
    snprintf(name, sizeof name, "job-%s.out", id);
    int input = open("/dev/null", O_RDONLY);
    int output = open(name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    return input >= 0 && output >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
           dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0;
}

static bool name_itself(struct start *s)
{
    char host[65], name[32], state;
    unsigned long long start;
    host_of(host);
    if (!look(getpid(), name, &state, &start))
        return false;
    snprintf(s->variable, sizeof s->variable, "WICK_JOB_ID=%d.%llu@%.64s", (int)getpid(), start,
             host);
    return true;
}

_Noreturn static void become_job(struct start *s)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    close_all(s->line);
    setsid();
    if (s->after.pid)
        prctl(PR_SET_NAME, WAITS);
    bool good = chdir(s->dir) == 0 && name_itself(s) && open_output(s->id);
    int number = good ? 0 : errno;
    if (write(s->line, &number, sizeof number) < 0 || write(s->line, s->id, LAUNCH_ID) < 0 || !good)
        _exit(1);
    close(s->line);
    if (s->after.pid)
        wait_for(&s->after);
    execle("/bin/bash", "bash", "job.sh", (char *)NULL, s->environment);
    _exit(127);
}

static char **environment_of(struct start *s, struct arena *arena)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **variables = arena_new(arena, count + 2, sizeof *variables);
    count = 0;
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "WICK_JOB_", 9) != 0)
            variables[count++] = *variable;
    variables[count] = s->variable;
    return variables;
}

/* Reads as many bytes, or up to the end; -1 and errno if that fails. */
static ssize_t read_all(int fd, void *bytes, size_t length)
{
    size_t done = 0;
    ssize_t got = 1;
    while (done < length && got != 0) {
        got = read(fd, (char *)bytes + done, length - done);
        if (got < 0 && errno != EINTR)
            return -1;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

/* The process in between ends at once, so the job is adopted by init and leaves no zombie. */
static int start(struct start *s, int from, char id[LAUNCH_ID], bool *maybe, struct err *e)
{
    int number = EIO; /* it said nothing: there was no second process, or it ended at once */
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() == 0)
            become_job(s);
        _exit(0);
    }
    close(s->line);
    if (pid < 0)
        return err_system(e, "cannot start a process");
    waitpid(pid, NULL, 0);
    ssize_t got = read_all(from, &number, sizeof number);
    if (got == (ssize_t)sizeof number && number == 0)
        got = read_all(from, id, LAUNCH_ID);
    if (got == LAUNCH_ID)
        return 0;
    *maybe = got < 0;
    if (got >= 0)
        errno = number ? number : EIO;
    return err_system(
        e, got < 0 ? "cannot read the number of the job in %s" : "cannot start the job in %s",
        s->dir);
}

int local_submit(const char *dir, const char *after, char id[LAUNCH_ID], bool *maybe, struct err *e)
{
    struct start s = {.dir = dir};
    struct arena arena = {0};
    int line[2];
    if (after && !read_id(after, &s.after))
        return err_set(e, ERR_USER, "'%s' is not the ID of a local job", after);
    if (pipe2(line, O_CLOEXEC) != 0)
        return err_system(e, "cannot create a pipe");
    s.line = line[1];
    s.id = s.variable + strlen("WICK_JOB_ID=");
    s.environment = environment_of(&s, &arena);
    start(&s, line[0], id, maybe, e);
    close(line[0]);
    arena_free(&arena);
    return e->code;
}
