/* program.c - run a program of the scheduler: no shell, a time limit, what it wrote. */
#include "launch/schedulers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { KEPT = 4 << 20 }; /* bytes of an answer: qstat may list all jobs of a user */

bool program_exists(const char *name)
{
    const char *path = getenv("PATH");
    struct str file = {0};
    bool found = false;
    for (const char *at = path ? path : "/usr/bin:/bin"; at && !found;) {
        size_t length = strcspn(at, ":");
        str_clear(&file);
        str_add_bytes(&file, at, length);
        str_printf(&file, "%s%s", length > 0 ? "/" : "./", name);
        found = access(file.text, X_OK) == 0;
        at = at[length] ? at + length + 1 : NULL;
    }
    str_free(&file);
    return found;
}

/* ---- its environment ---- */

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/*
 * What a job knows of itself must not reach the job that it submits: most schedulers hand the whole
 * environment on, and would take their own variables for wishes.
 */
static bool is_forgotten(const struct scheduler *scheduler, const char *variable)
{
    if (begins(variable, "WICK_JOB_") || begins(variable, "WICK_SCHEDULER=") ||
        begins(variable, "PWD="))
        return true;
    if (!scheduler || !scheduler->forget || !begins(variable, scheduler->forget))
        return false;
    for (size_t i = 0; scheduler->keep[i]; i++) {
        size_t length = strlen(scheduler->keep[i]);
        if (strncmp(variable, scheduler->keep[i], length) == 0 && variable[length] == '=')
            return false;
    }
    return true;
}

/* PWD names the folder, since some schedulers take it for the one in which a job begins. */
static char **environment_of(const struct program_call *call, struct arena *arena)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **variables = arena_new(arena, count + 3, sizeof *variables);
    char here[PATH_MAX];
    count = 0;
    for (char **variable = environ; *variable; variable++)
        if (!is_forgotten(call->scheduler, *variable))
            variables[count++] = *variable;
    if (realpath(call->folder ? call->folder : ".", here))
        variables[count++] = arena_printf(arena, "PWD=%s", here);
    variables[count++] = arena_printf(arena, "FLUX_F58_FORCE_ASCII=1"); /* numbers in ASCII */
    return variables;
}

/* ---- the process ---- */

/* What the child needs: made before it exists, since after it only system calls are allowed. */
struct child {
    const struct program_call *call;
    char **environment;
    int out[2], errors[2], failed[2]; /* failed: errno, when there is no such program */
};

_Noreturn static void become(const struct child *c)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0); /* so that all that it starts can be ended with it */
    if (!c->call->folder || chdir(c->call->folder) == 0) {
        int input = open(c->call->input ? c->call->input : "/dev/null", O_RDONLY | O_CLOEXEC);
        if (input >= 0 && dup2(input, STDIN_FILENO) == 0 &&
            dup2(c->out[1], STDOUT_FILENO) == STDOUT_FILENO &&
            dup2(c->errors[1], STDERR_FILENO) == STDERR_FILENO)
            execvpe(c->call->words[0], (char *const *)c->call->words, c->environment);
    }
    int number = errno;
    if (write(c->failed[1], &number, sizeof number) < 0)
        _exit(126);
    _exit(127);
}

/* Takes what there is; false at the end. */
static bool take(int fd, struct str *text)
{
    char part[4096];
    ssize_t got = read(fd, part, sizeof part);
    if (got > 0 && text->length < KEPT)
        str_add_bytes(text, part, (size_t)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

/* Reads until both ends are closed; false when the time was up before. */
static bool listen_to(struct child *c, struct program_answer *answer, double end)
{
    struct pollfd polls[] = {{c->out[0], POLLIN, 0}, {c->errors[0], POLLIN, 0}};
    struct str *texts[] = {&answer->out, &answer->errors};
    while (polls[0].fd >= 0 || polls[1].fd >= 0) {
        double left = end - clock_now();
        if (left <= 0)
            return false;
        if (poll(polls, 2, (int)(left * 1000) + 1) <= 0)
            continue;
        for (size_t i = 0; i < 2; i++)
            if (polls[i].revents && !take(polls[i].fd, texts[i]))
                polls[i].fd = -1;
    }
    return true;
}

/* It has closed its output, so it ends soon, or never. */
static int end_of(pid_t pid, bool in_time, double end)
{
    int status;
    struct timespec moment = {.tv_nsec = 2000000};
    while (in_time && waitpid(pid, &status, WNOHANG) == 0) {
        in_time = clock_now() < end;
        nanosleep(&moment, NULL);
    }
    if (!in_time) {
        kill(-pid, SIGKILL);
        waitpid(pid, &status, 0);
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void close_both(int line[2])
{
    for (int i = 0; i < 2; i++)
        if (line[i] >= 0)
            close(line[i]);
}

static int run_child(struct child *c, struct program_answer *answer, struct err *e)
{
    int number = 0;
    double end = clock_now() + c->call->seconds;
    pid_t pid = fork();
    if (pid == 0)
        become(c);
    if (pid < 0)
        return err_system(e, "cannot start a process");
    int *writers[] = {&c->out[1], &c->errors[1], &c->failed[1]};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        close(*writers[i]);
        *writers[i] = -1;
    }
    bool started = read(c->failed[0], &number, sizeof number) != (ssize_t)sizeof number;
    answer->status = end_of(pid, listen_to(c, answer, end), end);
    if (started)
        return 0;
    return err_set(e, number == ENOENT ? ERR_USER : ERR_SYSTEM, "cannot start '%s': %s",
                   c->call->words[0], strerror(number));
}

int program_run(const struct program_call *call, struct program_answer *answer, struct err *e)
{
    struct arena arena = {0};
    struct child child = {.call = call,
                          .environment = environment_of(call, &arena),
                          .out = {-1, -1},
                          .errors = {-1, -1},
                          .failed = {-1, -1}};
    *answer = (struct program_answer){0};
    if (pipe2(child.out, O_CLOEXEC) != 0 || pipe2(child.errors, O_CLOEXEC) != 0 ||
        pipe2(child.failed, O_CLOEXEC) != 0)
        err_system(e, "cannot make a pipe");
    else
        run_child(&child, answer, e);
    close_both(child.out);
    close_both(child.errors);
    close_both(child.failed);
    arena_free(&arena);
    return e->code;
}

void program_answer_free(struct program_answer *answer)
{
    str_free(&answer->out);
    str_free(&answer->errors);
}
