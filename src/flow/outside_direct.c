/*
 * outside_direct.c - programs and other languages where comm has no descriptors: in the simulator.
 *
 * A process runs for real between two virtual events, and we wait for it. There is no helper: the
 * processes are our children. What they print is read and handed on as elsewhere.
 */
#include "flow/outside_parts.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LOOK = 20, /* milliseconds between looks whether a program whose output stays open has ended */
    GRACE = 1000 /* milliseconds that a host has to end itself: R removes its temporary files */
};

/* ---- starting ---- */

static bool is_replaced(const char *variable, const char *const *variables)
{
    size_t length = strcspn(variable, "=") + 1;
    for (; *variables; variables++)
        if (strncmp(variable, *variables, length) == 0)
            return true;
    return false;
}

/* Our own environment with these variables. */
static char **merge_environment(struct arena *arena, const char *const *variables)
{
    size_t own = 0, added = 0, used = 0;
    while (environ[own])
        own++;
    while (variables[added])
        added++;
    char **merged = arena_new(arena, own + added + 1, sizeof *merged);
    for (size_t i = 0; i < own; i++)
        if (!is_replaced(environ[i], variables))
            merged[used++] = environ[i];
    for (size_t i = 0; i < added; i++)
        merged[used++] = (char *)variables[i];
    return merged;
}

/* Starts a program in a session of its own; -1 and errno when it cannot. */
static pid_t start(const char *const *words, const char *const *variables, const int streams[3])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    struct arena arena = {0};
    sigset_t broken;
    pid_t pid = -1;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE); /* an ignored signal would stay ignored */
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &broken);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    int number = posix_spawnp(&pid, words[0], &actions, &attributes, (char *const *)words,
                              merge_environment(&arena, variables));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    arena_free(&arena);
    errno = number;
    return number ? -1 : pid;
}

/* Until it is waited for, the number of a process is also that of its group. */
static bool has_ended(pid_t pid, bool wait)
{
    siginfo_t info = {0};
    int options = WEXITED | WNOWAIT | (wait ? 0 : WNOHANG), failed;
    do
        failed = waitid(P_PID, (id_t)pid, &info, options);
    while (failed && errno == EINTR);
    return failed || info.si_pid == pid; /* it fails if nobody is to wait: SIGCHLD is ignored */
}

/* Kills what is left of the group, and returns the status of its leader. */
static int reap(pid_t pid)
{
    int status = 0;
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* ---- programs ---- */

int outside_direct_run(struct outside *o, const int streams[3])
{
    struct outside_program *p = &o->program;
    pid_t pid = start(o->command.words, o->command.variables, streams);
    int number = errno;
    for (int i = 0; i < 3; i++)
        close(streams[i]);
    errno = number;
    if (pid < 0)
        return -1;
    p->pid = pid;
    p->running = true;
    bool over = false;
    while (!over) {
        struct pollfd polls[] = {{p->pipes[0].fd, POLLIN, 0}, {p->pipes[1].fd, POLLIN, 0}};
        bool quiet = polls[0].fd < 0 && polls[1].fd < 0; /* then it ends in a moment */
        if (!quiet)
            poll(polls, 2, LOOK);
        for (int i = 0; i < 2; i++)
            if (polls[i].revents)
                outside_pipe_read(&p->pipes[i], 1);
        over = has_ended(pid, quiet);
    }
    return reap(pid);
}

/* ---- hosts ---- */

static bool start_host(struct outside_host *host, const char *const *words)
{
    static const char *const no_variables[] = {NULL};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    pid_t pid = start(words, no_variables, (int[]){pair[1], host->print, host->print});
    int number = errno;
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        errno = number;
        return false;
    }
    host->pid = pid;
    host->socket = pair[0];
    return true;
}

/* A message is two numbers and what they announce: see trial/evaluate.c. */
static bool is_whole(const struct str *answer, uint32_t header[2])
{
    if (answer->length < 2 * sizeof *header)
        return false;
    memcpy(header, answer->text, 2 * sizeof *header);
    return answer->length - 2 * sizeof *header >= header[1];
}

/* Sends and receives as much as possible without waiting; false when the host is gone. */
static bool exchange(int socket, struct str *question, struct str *answer)
{
    char bytes[65536];
    if (question->length > 0) {
        ssize_t sent = send(socket, question->text, question->length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        str_drop(question, sent > 0 ? (size_t)sent : 0);
    }
    ssize_t got = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    str_add_bytes(answer, bytes, (size_t)got);
    return got > 0 && answer->length <= EVALUATOR_LIMIT + sizeof bytes;
}

enum evaluator_state outside_direct_evaluate(struct outside *o, const char *const *words,
                                             struct str *answer)
{
    struct outside_host *host = &o->hosts[o->language];
    struct str question = {0};
    uint32_t header[2] = {(uint32_t)o->code.length, (uint32_t)o->expression.length};
    if (!host->pid && !start_host(host, words)) {
        str_printf(answer, "cannot start %s: %s", words[0], strerror(errno));
        return EVALUATOR_ERROR;
    }
    str_add_bytes(&question, header, sizeof header);
    str_add_bytes(&question, str_text(&o->code), o->code.length);
    str_add_bytes(&question, str_text(&o->expression), o->expression.length);
    bool lives = true;
    while (lives && !is_whole(answer, header)) {
        short wanted = question.length > 0 ? POLLIN | POLLOUT : POLLIN;
        struct pollfd polls[] = {{host->socket, wanted, 0}, {host->printed.fd, POLLIN, 0}};
        poll(polls, 2, -1);
        if (polls[1].revents)
            outside_pipe_read(&host->printed, 1);
        lives = host->pid && exchange(host->socket, &question, answer); /* it may be stopped */
    }
    str_free(&question);
    if (!lives) {
        outside_direct_end(host);
        str_clear(answer);
        str_add(answer, "the evaluating process has ended");
        return EVALUATOR_LOST;
    }
    str_drop(answer, sizeof header);
    return header[0] ? EVALUATOR_GOOD : EVALUATOR_ERROR;
}

void outside_direct_end(struct outside_host *host)
{
    pid_t pid = host->pid;
    if (!pid)
        return;
    host->pid = 0;
    close(host->socket);
    for (int waited = 0; waited < GRACE && !has_ended(pid, false); waited++)
        poll(NULL, 0, 1);
    reap(pid);
}
