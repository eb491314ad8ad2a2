/* hosts.c - language hosts: interpreters that import once and fork for each trial (see hosts.h). */
#include "helper/hosts.h"

#include "helper/start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LAST_WORDS = 8 << 10, /* bytes of a host's output that are kept */
    READS_AT_ONCE = 64,   /* of its output: one that never ends must not keep the helper */
    DEATHS = 3,           /* in a row, of hosts that have not started a single trial */
    REFUSALS = 10         /* in a row, of spares that could not be told what to run */
};

/* A process that waits to be told what to run. */
struct spare {
    pid_t pid;
    int line;
};

struct host {
    char *key; /* its folder and command, as strings ended by zero */
    size_t key_length;
    pid_t pid;      /* 0: it does not run */
    int control;    /* to the host; -1: closed */
    int words;      /* what it prints; -1: closed */
    bool ready;     /* it has made a spare: its imports are done */
    unsigned asked; /* spares that it is making */
    unsigned deaths, refusals;
    struct spare *spares;
    size_t spare_count, spare_capacity;
    char last[LAST_WORDS + 1];
    size_t last_length;
};

/* A request that still waits for a process. */
struct waiting {
    struct host *host; /* NULL: nothing waits */
    uint64_t order;
    struct helper_request request;
    struct str strings;
    int out, err;
};

struct hosts {
    struct hosts_owner owner;
    struct host *all[HOSTS_MOST];
    unsigned count;
    struct waiting *waiting; /* by worker */
    unsigned workers;
    uint64_t order; /* of the request that came last */
};

struct hosts *hosts_create(unsigned workers, const struct hosts_owner *owner)
{
    struct hosts *hosts = memory_new(1, sizeof *hosts);
    hosts->owner = *owner;
    hosts->workers = workers;
    hosts->waiting = memory_new(workers, sizeof *hosts->waiting);
    return hosts;
}

/* ---- requests that wait ---- */

static void forget(struct waiting *waiting)
{
    close(waiting->out);
    close(waiting->err);
    str_free(&waiting->strings);
    *waiting = (struct waiting){0};
}

/* The request that waits longest for this host, or NULL; *count is how many do. */
static struct waiting *first_waiting(struct hosts *hosts, const struct host *host, unsigned *count)
{
    struct waiting *first = NULL;
    *count = 0;
    for (unsigned i = 0; i < hosts->workers; i++) {
        struct waiting *waiting = &hosts->waiting[i];
        if (waiting->host != host)
            continue;
        (*count)++;
        if (!first || waiting->order < first->order)
            first = waiting;
    }
    return first;
}

static void fail(struct hosts *hosts, struct waiting *waiting, int number, const char *reason)
{
    unsigned worker = (unsigned)(waiting - hosts->waiting);
    forget(waiting);
    hosts->owner.failed(hosts->owner.self, worker, number, reason);
}

/* The pipe is empty and has room for all of this, so it cannot block. */
static void tell_last_words(const struct host *host, const struct waiting *waiting)
{
    (void)!write(waiting->err, host->last, host->last_length);
}

static void fail_all(struct hosts *hosts, const struct host *host, int number, const char *reason)
{
    for (unsigned i = 0; i < hosts->workers; i++) {
        if (hosts->waiting[i].host != host)
            continue;
        tell_last_words(host, &hosts->waiting[i]);
        fail(hosts, &hosts->waiting[i], number, reason);
    }
}

/* ---- starting a host ---- */

/* Variables that differ from trial to trial are not for the host, which serves all of them. */
static bool is_of_trial(const char *variable)
{
    static const char *const names[] = {"RUNID",
                                        "RANK",
                                        "WORLD_SIZE",
                                        "LOCAL_RANK",
                                        "MASTER_ADDR",
                                        "LOCAL_WORLD_SIZE",
                                        "MASTER_PORT",
                                        "CUDA_VISIBLE_DEVICES",
                                        "ROCR_VISIBLE_DEVICES",
                                        "HIP_VISIBLE_DEVICES",
                                        "GPU_DEVICE_ORDINAL",
                                        "ZE_AFFINITY_MASK"};
    size_t length = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(variable, names[i], length) == 0)
            return true;
    if (strncmp(variable, "WICK_RUN=", 9) == 0 || strncmp(variable, "WICK_FOLDER=", 12) == 0)
        return false; /* by these, leftovers.c knows what is left of a run */
    return strncmp(variable, "WICK_", 5) == 0 || strncmp(variable, "HOROVOD_", 8) == 0;
}

static char **host_environment(struct arena *arena, char **variables)
{
    size_t used = 0;
    for (size_t i = 0; variables[i]; i++)
        if (!is_of_trial(variables[i]))
            variables[used++] = variables[i];
    variables[used] = NULL;
    return start_environment(arena, variables);
}

/* Starts the host that a request waits for; 0 or an errno. */
static int start_host(struct host *host, struct waiting *waiting)
{
    int control[2] = {-1, -1}, words[2] = {-1, -1};
    struct arena arena = {0};
    struct start_words parts;
    struct helper_request limits = {.descriptors = waiting->request.descriptors};
    struct start_plan plan = {.request = &limits, .group = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0)
        return errno;
    if (pipe2(words, O_CLOEXEC) != 0) {
        plan.number = errno;
    } else {
        start_split(&arena, &waiting->request, waiting->strings.text, &parts);
        plan.folder = parts.folder;
        plan.argv = parts.host;
        plan.environment = host_environment(&arena, parts.variables);
        plan.in = control[1];
        plan.out = plan.err = words[1];
        fcntl(words[0], F_SETFL, O_NONBLOCK);
        host->pid = start_program(&plan);
        close(words[1]);
    }
    close(control[1]);
    arena_free(&arena);
    if (plan.number) {
        close(control[0]);
        if (words[0] >= 0)
            close(words[0]);
        host->pid = 0;
        return plan.number;
    }
    host->control = control[0];
    host->words = words[0];
    host->ready = false;
    host->asked = 0;
    host->last_length = 0;
    return 0;
}

static void close_host(struct host *host)
{
    if (host->control >= 0)
        close(host->control);
    if (host->words >= 0)
        close(host->words);
    host->control = host->words = -1;
}

/* ---- handing over ---- */

static void add_cores(const struct helper_request *request, struct str *message)
{
    const char *comma = "";
    for (size_t core = 0; request->pin && core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &request->cores)) {
            str_printf(message, "%s%zu", comma, core);
            comma = ",";
        }
    str_add_char(message, 0);
}

static void add_string(struct str *message, const char *text)
{
    str_add_bytes(message, text, strlen(text) + 1);
}

static void build_message(struct waiting *waiting, struct str *message)
{
    struct arena arena = {0};
    struct start_words parts;
    start_split(&arena, &waiting->request, waiting->strings.text, &parts);
    str_printf(message, "%u", waiting->request.arguments);
    str_add_char(message, 0);
    add_cores(&waiting->request, message);
    add_string(message, waiting->request.is_inside ? "." : parts.folder);
    for (size_t i = 0; parts.arguments[i]; i++)
        add_string(message, parts.arguments[i]);
    for (size_t i = 0; parts.variables[i]; i++)
        if (strchr(parts.variables[i], '=')) /* names to unset: the host was started without them */
            add_string(message, parts.variables[i]);
    arena_free(&arena);
}

/* Gives the request to a spare; false when no spare lives. */
static bool hand_over(struct hosts *hosts, struct host *host, struct waiting *waiting)
{
    struct str message = {0};
    pid_t pid = 0;
    build_message(waiting, &message);
    while (host->spare_count > 0 && pid == 0) {
        struct spare spare = host->spares[0]; /* the oldest, which may have a warning to print */
        memmove(host->spares, host->spares + 1, --host->spare_count * sizeof spare);
        if (helper_send(spare.line, &message, (int[]){waiting->out, waiting->err}, 2,
                        MSG_DONTWAIT) == 0)
            pid = spare.pid;
        else
            host->refusals++;
        close(spare.line); /* a spare that did not get the request ends by this */
    }
    str_free(&message);
    if (pid == 0)
        return false;
    host->deaths = host->refusals = 0;
    forget(waiting);
    hosts->owner.started(hosts->owner.self, (unsigned)(waiting - hosts->waiting), pid);
    return true;
}

/* One spare for each request that waits, and one ahead. */
static void ask_for_spares(struct host *host, unsigned waiting)
{
    while (host->pid && host->control >= 0 && host->spare_count + host->asked < waiting + 1) {
        if (send(host->control, "fork", 4, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
            if (errno == EINTR)
                continue;
            /* A full channel is asked again after an answer; else only its end brings us back here.
             */
            if (errno != EAGAIN || host->asked == 0)
                kill(host->pid, SIGKILL);
            return;
        }
        host->asked++;
    }
}

/* Matches requests with spares, and makes sure that there will be enough of these. */
static void go_on(struct hosts *hosts, struct host *host)
{
    unsigned count;
    struct waiting *first = first_waiting(hosts, host, &count);
    while (first && host->spare_count > 0 && hand_over(hosts, host, first))
        first = first_waiting(hosts, host, &count);
    if (first && host->refusals >= REFUSALS) {
        host->refusals = 0;
        fail_all(hosts, host, 0, "the processes that the language host forks end at once");
        return;
    }
    while (first && !host->pid) {
        int number = start_host(host, first);
        if (number == 0)
            break;
        fail(hosts, first, number, "");
        first = first_waiting(hosts, host, &count);
    }
    ask_for_spares(host, count);
}

/* ---- requests ---- */

/* Hosts differ by their folder and their command. */
static void build_key(const struct helper_request *request, char *strings, struct str *key)
{
    struct arena arena = {0};
    struct start_words parts;
    start_split(&arena, request, strings, &parts);
    add_string(key, parts.folder);
    for (size_t i = 0; parts.host[i]; i++)
        add_string(key, parts.host[i]);
    arena_free(&arena);
}

/* The host of this key; NULL when there are too many. */
static struct host *find_host(struct hosts *hosts, const struct str *key)
{
    for (unsigned i = 0; i < hosts->count; i++) {
        struct host *host = hosts->all[i];
        if (host->key_length == key->length && memcmp(host->key, key->text, key->length) == 0)
            return host;
    }
    if (hosts->count == HOSTS_MOST)
        return NULL;
    struct host *host = memory_new(1, sizeof *host);
    host->key = memory_new(key->length, 1);
    memcpy(host->key, key->text, key->length);
    host->key_length = key->length;
    host->control = host->words = -1;
    hosts->all[hosts->count++] = host;
    return host;
}

void hosts_spawn(struct hosts *hosts, unsigned worker, const struct helper_request *request,
                 const char *strings, size_t length, const int *descriptors)
{
    struct waiting *waiting = &hosts->waiting[worker];
    struct str key = {0};
    waiting->request = *request;
    waiting->order = ++hosts->order;
    str_add_bytes(&waiting->strings, strings, length);
    waiting->out = fcntl(descriptors[0], F_DUPFD_CLOEXEC, 3);
    waiting->err = fcntl(descriptors[1], F_DUPFD_CLOEXEC, 3);
    build_key(request, waiting->strings.text, &key);
    waiting->host = find_host(hosts, &key);
    str_free(&key);
    if (waiting->out < 0 || waiting->err < 0)
        fail(hosts, waiting, EMFILE, "");
    else if (!waiting->host)
        fail(hosts, waiting, 0, "too many different language hosts are in use");
    else
        go_on(hosts, waiting->host);
}

bool hosts_forget(struct hosts *hosts, unsigned worker)
{
    struct waiting *waiting = &hosts->waiting[worker];
    struct host *host = waiting->host;
    unsigned left;
    if (!host)
        return false;
    forget(waiting);
    first_waiting(hosts, host, &left);
    if (left == 0 && host->pid && !host->ready) /* it may be hanging in an import */
        kill(-host->pid, SIGKILL);
    return true;
}

/* ---- what hosts say ---- */

/* Keeps the end of what a host prints: when it dies, that says why. */
static void read_words(struct host *host)
{
    char bytes[4096];
    for (int reads = 0; host->words >= 0 && reads < READS_AT_ONCE; reads++) {
        ssize_t got = read(host->words, bytes, sizeof bytes);
        if (got < 0)
            return;
        if (got == 0) {
            close(host->words);
            host->words = -1;
            return;
        }
        size_t length = (size_t)got, room = LAST_WORDS - length;
        size_t kept = host->last_length < room ? host->last_length : room;
        memmove(host->last, host->last + host->last_length - kept, kept);
        memcpy(host->last + kept, bytes, length);
        host->last_length = kept + length;
    }
}

static void add_spare(struct host *host, pid_t pid, int line)
{
    host->spares = memory_grow(host->spares, &host->spare_capacity, host->spare_count + 1,
                               sizeof *host->spares);
    host->spares[host->spare_count++] = (struct spare){pid, line};
    host->ready = true;
}

/*
 * The process that a host has made; 0: none. The host runs the user's code and is not trusted: only
 * a process that is the helper's own child is accepted.
 */
static pid_t made_process(const char *text)
{
    siginfo_t ignored;
    if (strncmp(text, "ready ", 6) != 0)
        return 0;
    long pid = strtol(text + 6, NULL, 10);
    bool is_child = pid > 1 && pid <= INT_MAX &&
                    waitid(P_PID, (id_t)pid, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
    return is_child ? (pid_t)pid : 0;
}

/* The host cannot fork: the same as when a program cannot be started. */
static void fork_failed(struct hosts *hosts, struct host *host)
{
    unsigned count;
    struct waiting *first = first_waiting(hosts, host, &count);
    if (first && host->spare_count + host->asked < count)
        fail(hosts, first, EAGAIN, "");
}

/* Reads one message; false when there is none. */
static bool take_message(struct hosts *hosts, struct host *host)
{
    char text[256];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec vector = {text, sizeof text - 1};
    struct msghdr packet = {.msg_iov = &vector,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    ssize_t length = recvmsg(host->control, &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0)
        return false;
    if (length == 0) { /* it has died, or will: SIGCHLD follows */
        close(host->control);
        host->control = -1;
        return false;
    }
    int line = -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&packet);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof line))
        memcpy(&line, CMSG_DATA(header), sizeof line);
    text[length] = 0;
    host->asked -= host->asked > 0;
    pid_t pid = line >= 0 ? made_process(text) : 0;
    if (pid > 0) {
        add_spare(host, pid, line);
        return true;
    }
    if (line >= 0)
        close(line);
    fork_failed(hosts, host);
    return true;
}

static void listen_to(struct hosts *hosts, struct host *host)
{
    read_words(host);
    while (host->control >= 0 && take_message(hosts, host))
        ;
}

void hosts_serve(struct hosts *hosts)
{
    for (unsigned i = 0; i < hosts->count; i++) {
        listen_to(hosts, hosts->all[i]);
        go_on(hosts, hosts->all[i]);
    }
}

unsigned hosts_polls(const struct hosts *hosts, struct pollfd *polls)
{
    unsigned count = 0;
    for (unsigned i = 0; i < hosts->count; i++) {
        polls[count++] = (struct pollfd){hosts->all[i]->control, POLLIN, 0};
        polls[count++] = (struct pollfd){hosts->all[i]->words, POLLIN, 0};
    }
    return count;
}

/* ---- the end of a host ---- */

/* Its last output says more, and goes to the log of the trials that fail. */
static void why_it_died(int status, char *reason, size_t size)
{
    if (WIFSIGNALED(status))
        snprintf(reason, size, "the language host was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(reason, size, "the language host ended with exit code %d", WEXITSTATUS(status));
}

static void host_died(struct hosts *hosts, struct host *host, int status)
{
    char reason[160];
    listen_to(hosts, host); /* a spare may have been made before */
    close_host(host);
    host->pid = 0;
    host->asked = 0;
    bool cannot_import = !host->ready && WIFEXITED(status); /* it would fail again */
    if (cannot_import || ++host->deaths > DEATHS) {
        why_it_died(status, reason, sizeof reason);
        fail_all(hosts, host, 0, reason);
    }
    go_on(hosts, host);
}

static bool drop_spare(struct host *host, pid_t pid)
{
    for (size_t i = 0; i < host->spare_count; i++)
        if (host->spares[i].pid == pid) {
            close(host->spares[i].line);
            host->spares[i] = host->spares[--host->spare_count];
            return true;
        }
    return false;
}

void hosts_ended(struct hosts *hosts, pid_t pid, int status)
{
    for (unsigned i = 0; i < hosts->count; i++) {
        struct host *host = hosts->all[i];
        if (host->pid == pid)
            host_died(hosts, host, status);
        else if (drop_spare(host, pid))
            go_on(hosts, host);
    }
}

bool hosts_know(const struct hosts *hosts, pid_t pid)
{
    for (unsigned i = 0; i < hosts->count; i++) {
        const struct host *host = hosts->all[i];
        if (host->pid == pid)
            return true;
        for (size_t k = 0; k < host->spare_count; k++)
            if (host->spares[k].pid == pid)
                return true;
    }
    return false;
}

bool hosts_expect(const struct hosts *hosts)
{
    for (unsigned i = 0; i < hosts->count; i++)
        if (hosts->all[i]->pid && hosts->all[i]->asked > 0)
            return true;
    return false;
}

void hosts_close(struct hosts *hosts)
{
    for (unsigned i = 0; i < hosts->workers; i++)
        if (hosts->waiting[i].host)
            forget(&hosts->waiting[i]);
    for (unsigned i = 0; i < hosts->count; i++) {
        struct host *host = hosts->all[i];
        close_host(host);
        for (size_t k = 0; k < host->spare_count; k++)
            close(host->spares[k].line);
        host->spare_count = 0; /* from now on the sweep may kill them */
        if (host->pid && !host->ready)
            kill(-host->pid, SIGKILL);
    }
}

void hosts_kill(struct hosts *hosts)
{
    for (unsigned i = 0; i < hosts->count; i++)
        if (hosts->all[i]->pid)
            kill(-hosts->all[i]->pid, SIGKILL);
}

void hosts_free(struct hosts *hosts)
{
    for (unsigned i = 0; i < hosts->count; i++) {
        free(hosts->all[i]->spares);
        free(hosts->all[i]->key);
        free(hosts->all[i]);
    }
    free(hosts->waiting);
    free(hosts);
}
