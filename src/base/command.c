/* command.c - run another program and read its output. */
#include "base/command.h"

#include "base/clock.h"
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK = 50, /* milliseconds between checks for the end of a program whose output stays open */
    GRACE = 1, /* seconds from SIGTERM to SIGKILL */
    PART = 16 << 10, /* bytes read at a time */
    PARTS = 64       /* parts read before the clock is checked again */
};

struct run {
    pid_t pid;
    int lines[2]; /* its stdout and stderr; -1: closed */
    struct str *texts[2];
    size_t most, kept[2];
    bool ended;
    int status;     /* as from waitpid() */
    int unreadable; /* errno of reading its output; 0: all of it was read */
};

/* ---- starting ---- */

struct start {
    const char *const *argv;
    const struct command_options *options;
    int outputs[2];
    volatile int number; /* errno of the failure, written by the child */
};

/* Between vfork() and exec: system calls only. */
_Noreturn static void become(struct start *start)
{
    const struct command_options *o = start->options;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* Ctrl-C reaches us, but not its process group */
    int input = open(o->input ? o->input : "/dev/null", O_RDONLY | O_CLOEXEC);
    if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
        dup2(start->outputs[0], STDOUT_FILENO) >= 0 &&
        dup2(start->outputs[1], STDERR_FILENO) >= 0 && (!o->folder || chdir(o->folder) == 0))
        execvpe(start->argv[0], (char *const *)start->argv,
                o->environment ? o->environment : environ);
    start->number = errno;
    _exit(127);
}

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

static int start_program(struct run *run, struct start *start, struct err *e)
{
    int pipes[2][2];
    if (pipe2(pipes[0], O_CLOEXEC) != 0)
        return err_system(e, "cannot start %s: cannot create a pipe", start->argv[0]);
    if (pipe2(pipes[1], O_CLOEXEC) != 0) {
        err_system(e, "cannot start %s: cannot create a pipe", start->argv[0]);
        close_pair(pipes[0]);
        return e->code;
    }
    for (int i = 0; i < 2; i++) {
        run->lines[i] = pipes[i][0];
        start->outputs[i] = pipes[i][1];
        fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
    }
    run->pid = vfork();
    if (run->pid == 0)
        become(start);
    int number = run->pid < 0 ? errno : start->number;
    close_pair(start->outputs);
    if (number == 0)
        return 0;
    if (run->pid > 0)
        waitpid(run->pid, NULL, 0);
    close_pair(run->lines);
    bool is_ours = run->pid < 0 || err_is_outage(number); /* not that of a wrong program */
    return err_set(e, is_ours ? ERR_SYSTEM : ERR_USER, "cannot start %s: %s", start->argv[0],
                   strerror(number));
}

/* ---- listening ---- */

static void keep(struct run *run, int line, const char *bytes, size_t length)
{
    size_t left = run->most - run->kept[line];
    if (length > left)
        length = left;
    run->kept[line] += length;
    if (run->texts[line])
        str_add_bytes(run->texts[line], bytes, length);
}

/*
 * Reads what is there, and closes a pipe whose other end is closed. Stops after a while: a program
 * that writes as fast as we read must not outlast its time limit.
 */
static void take(struct run *run, int line)
{
    char part[PART];
    ssize_t got = 1;
    for (int i = 0; i < PARTS && (got > 0 || (got < 0 && errno == EINTR)); i++) {
        got = read(run->lines[line], part, sizeof part);
        if (got > 0)
            keep(run, line, part, (size_t)got);
    }
    if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)))
        return;
    if (got < 0)
        run->unreadable = errno;
    close(run->lines[line]);
    run->lines[line] = -1;
}

/* Waits at most this many milliseconds for output, and reads it. */
static void listen_to(struct run *run, int milliseconds)
{
    struct pollfd polls[] = {{run->lines[0], POLLIN, 0}, {run->lines[1], POLLIN, 0}};
    if (poll(polls, 2, milliseconds) <= 0)
        return;
    for (int i = 0; i < 2; i++)
        if (polls[i].revents)
            take(run, i);
}

/*
 * Reads until the program has ended or the clock says `end`. Only its own end counts: a process
 * that it started may inherit its outputs and outlive it, and the program may close them and
 * continue.
 */
static void attend(struct run *run, double end)
{
    int pause = 1;
    while (!run->ended && clock_now() < end) {
        siginfo_t info = {0};
        waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT);
        if (info.si_pid == run->pid) {
            run->ended = true;
            break;
        }
        bool quiet = run->lines[0] < 0 && run->lines[1] < 0; /* then it ends in a moment */
        double left = fmin((end - clock_now()) * 1e3, LOOK) + 1;
        listen_to(run, quiet ? pause : (int)left);
        pause = quiet && pause < LOOK ? pause * 2 : pause;
    }
}

/*
 * Ends the rest of the group, and reads the last output. The program is waited for last: until
 * then, no other process can get its number, which is also that of the group.
 */
static void finish(struct run *run)
{
    if (!run->ended) {
        kill(-run->pid, SIGTERM);
        attend(run, clock_now() + GRACE);
    }
    kill(-run->pid, SIGKILL);
    while (waitpid(run->pid, &run->status, 0) < 0 && errno == EINTR)
        ;
    for (int i = 0; i < 2; i++) {
        if (run->lines[i] >= 0)
            take(run, i);
        if (run->lines[i] >= 0)
            close(run->lines[i]);
    }
}

int command_run(const char *const *argv, const struct command_options *options, struct str *out,
                struct str *err, int *status, struct err *e)
{
    static const struct command_options usual;
    const struct command_options *o = options ? options : &usual;
    struct run run = {.texts = {out, err}, .most = o->most ? o->most : COMMAND_OUTPUT};
    struct start start = {.argv = argv, .options = o};
    int unused = 0;
    status = status ? status : &unused;
    *status = COMMAND_MISSING;
    if (start_program(&run, &start, e))
        return e->code;
    attend(&run, o->limit > 0 ? clock_now() + o->limit : INFINITY);
    bool late = !run.ended;
    finish(&run);
    if (late) {
        *status = COMMAND_LATE;
        return err_set(e, ERR_SYSTEM, "%s did not answer within %g seconds", argv[0], o->limit);
    }
    *status = WIFEXITED(run.status) ? WEXITSTATUS(run.status) : 128 + WTERMSIG(run.status);
    errno = run.unreadable;
    return errno ? err_system(e, "cannot read what %s printed", argv[0]) : 0;
}

/* ---- finding ---- */

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool command_find(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/'))
        return is_program(name) && realpath(name, path);
    for (const char *at = folders; at && *name;) {
        size_t length = strcspn(at, ":");
        int size =
            snprintf(path, PATH_MAX, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
        if (size < PATH_MAX && is_program(path))
            return true;
        at = at[length] ? at + length + 1 : NULL;
    }
    return false;
}
