/* start.c - start a program: between vfork() and exec, and the strings of a request. */
#include "helper/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The child between vfork() and exec: it shares our memory, so it only makes system calls and
 * writes to the plan.
 */
_Noreturn static void become(struct start_plan *plan)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL); /* an ignored signal would stay ignored */
    signal(SIGXFSZ, SIG_DFL);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    plan->joined = plan->group >= 0 && write(plan->group, "0", 1) == 1;
    if (plan->keeps_orphans)
        prctl(PR_SET_CHILD_SUBREAPER, 1); /* which outlives exec */
    if (plan->request->descriptors.rlim_max > 0)
        setrlimit(RLIMIT_NOFILE, &plan->request->descriptors);
    if (plan->request->pin)
        sched_setaffinity(0, sizeof plan->request->cores, &plan->request->cores);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    /* When the machine runs out of memory, the kernel should kill a trial and not Wick. */
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0)
        (void)!write(score, "500", 3);
    bool connected = dup2(plan->in, 0) >= 0 && dup2(plan->out, 1) >= 0 && dup2(plan->err, 2) >= 0;
    if (connected && chdir(plan->folder) != 0) {
        plan->in_folder = true;
    } else if (connected) {
        environ = plan->environment; /* execvp searches the trial's own PATH */
        execvp(plan->argv[0], plan->argv);
    }
    plan->number = errno;
    _exit(127);
}

/*
 * vfork, because posix_spawn cannot pin to cores, make the child die with its parent, or say which
 * step failed, and fork copies page tables for nothing.
 */
pid_t start_program(struct start_plan *plan)
{
    char **saved = environ;
    pid_t pid = vfork();
    if (pid == 0)
        become(plan);
    environ = saved;
    if (pid < 0)
        plan->number = errno;
    if (pid > 0 && plan->number) { /* it never became the program */
        waitpid(pid, NULL, 0);
        pid = -1;
    }
    return pid;
}

/* Splits `count` strings off *at into an array ended by NULL. */
static char **take_strings(struct arena *arena, char **at, unsigned count)
{
    char **strings = arena_new(arena, count + 1, sizeof *strings);
    for (unsigned i = 0; i < count; i++) {
        strings[i] = *at;
        *at += strlen(*at) + 1;
    }
    return strings;
}

void start_split(struct arena *arena, const struct helper_request *request, char *strings,
                 struct start_words *words)
{
    words->folder = strings;
    strings += strlen(strings) + 1;
    words->arguments = take_strings(arena, &strings, request->arguments);
    words->variables = take_strings(arena, &strings, request->variables);
    words->host = take_strings(arena, &strings, request->host);
}

static size_t name_length(const char *variable)
{
    return strcspn(variable, "=");
}

char **start_environment(struct arena *arena, char **variables)
{
    size_t own = 0, used = 0, count = 0;
    while (environ[own])
        own++;
    while (variables[count])
        count++;
    char **merged = arena_new(arena, own + count + 1, sizeof *merged);
    for (size_t i = 0; i < own; i++) {
        bool replaced = false;
        for (size_t k = 0; k < count && !replaced; k++)
            replaced = name_length(environ[i]) == name_length(variables[k]) &&
                       strncmp(environ[i], variables[k], name_length(variables[k])) == 0;
        if (!replaced)
            merged[used++] = environ[i];
    }
    for (size_t k = 0; k < count; k++)
        if (strchr(variables[k], '='))
            merged[used++] = variables[k];
    return merged;
}
