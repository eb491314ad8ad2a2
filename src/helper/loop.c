/*
 * loop.c - the helper's own loop: start programs, watch them, end them.
 *
 * The helper is forked before Wick starts threads or MPI, does nothing else, and stays small, so
 * that starting a program is as cheap as it can be. Each program leads a session of its own; a
 * signal reaches its whole process group.
 *
 * Nothing outlives its trial:
 *   - when the program ends, the rest of its group is killed;
 *   - each program is a "subreaper", and so is the helper: what a program starts and loses becomes
 *     its child again, and the helper's child when the program has ended. So a child of the helper
 *     that is neither a program nor one of its own processes is left over from a trial that has
 *     ended, whatever its session or its environment. The sweep kills it. It reads /proc, so it
 *     runs at most once a second, and only while there is a reason;
 *   - when Wick dies (even by SIGKILL) its channels close, and the helper kills everything;
 *   - when the helper dies, Wick does (leftovers.c).
 *
 * Memory is limited by a control group where the user may make some (cgroups.h). Elsewhere it is
 * checked every 50 ms for the program itself, and every second for its whole family.
 */
#include "helper/loop.h"

#include "helper/cgroups.h"
#include "helper/family.h"
#include "helper/hosts.h"
#include "helper/processes.h"
#include "helper/services.h"
#include "helper/start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const double MEMORY_INTERVAL = 0.05, FAMILY_INTERVAL = 1, SWEEP_INTERVAL = 1;
static const double SWEEP_AGAIN = 0.05; /* seconds: children of what was killed become ours */

/* What one worker runs. */
struct child {
    int channel; /* to the worker; -1: closed */
    pid_t pid;   /* 0: nothing runs */
    bool waits;  /* until a language host starts it */
    bool has_monitor;
    bool may_lose; /* its program may be no subreaper: a host in a container forks it */
    uint64_t trial;
    uint64_t memory, over_memory;
    bool signalled;
    bool in_group;          /* the kernel limits its memory */
    uint64_t family_memory; /* bytes, summed up from the processes of its family */
};

struct loop {
    struct child *children;
    unsigned count, open_channels;
    int signals;                   /* signalfd of SIGCHLD */
    double memory_due, family_due; /* when to check memory */
    double sweep_due;              /* 0: no reason to sweep */
    bool ending;                   /* nothing may be left */
    bool has_looked;         /* whether there are control groups: only when there is a limit */
    struct cgroups *cgroups; /* NULL: none */
    struct family family;
    bool sees_processes; /* /proc shows our own processes */
    struct hosts *hosts;
    struct services services;
    char *packet;
};

static void close_channel(struct loop *h, struct child *child)
{
    close(child->channel);
    child->channel = -1;
    h->open_channels--;
}

/* A worker whose answer is lost would wait for it for ever; the end of its channel tells it. */
static void answer(struct loop *h, struct child *child, const struct helper_answer *answer)
{
    ssize_t sent = 0;
    if (child->channel < 0)
        return;
    do
        sent = send(child->channel, answer, sizeof *answer, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent != (ssize_t)sizeof *answer)
        close_channel(h, child);
}

/* ---- starting ---- */

/* A group that cannot limit memory costs time, and tells nothing that the family does not. */
static void look_for_groups(struct loop *h)
{
    struct str group = {0};
    h->has_looked = true;
    if (cgroups_find(&group))
        h->cgroups = cgroups_open(group.text, h->count, false);
    if (h->cgroups && !cgroups_keep_limits(h->cgroups)) {
        cgroups_close(h->cgroups);
        h->cgroups = NULL;
    }
    str_free(&group);
}

/* The group of a program that is about to start: see cgroups_begin(). */
static int begin_group(struct loop *h, const struct child *child)
{
    if (child->memory && !h->has_looked)
        look_for_groups(h);
    return child->memory && h->cgroups
               ? cgroups_begin(h->cgroups, (unsigned)(child - h->children), child->memory)
               : -1;
}

static void started(struct loop *h, struct child *child, pid_t pid)
{
    child->pid = pid;
    child->waits = false;
    if (child->memory && !child->in_group && h->sees_processes && h->memory_due == 0)
        h->memory_due = h->family_due = clock_now();
}

static void spawn(struct loop *h, struct child *child, const struct helper_request *request,
                  char *strings, const int *descriptors, size_t count)
{
    struct arena arena = {0};
    struct start_plan plan = {
        .request = request, .out = descriptors[0], .err = descriptors[1], .keeps_orphans = true};
    struct start_words words;
    start_split(&arena, request, strings, &words);
    plan.folder = words.folder;
    plan.argv = words.arguments;
    plan.environment = start_environment(&arena, words.variables);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    plan.in = count > 2 ? descriptors[2] : nothing;
    plan.group = begin_group(h, child);
    pid_t pid = start_program(&plan);
    child->in_group = plan.joined;
    close(nothing);
    if (plan.group >= 0)
        close(plan.group);
    arena_free(&arena);
    if (pid > 0)
        started(h, child, pid);
    else
        answer(h, child,
               &(struct helper_answer){
                   .type = HELPER_FAILED, .number = plan.number, .in_folder = plan.in_folder});
}

static void host_started(void *self, unsigned worker, pid_t pid)
{
    struct loop *h = self;
    struct child *child = &h->children[worker];
    char number[16];
    int group = begin_group(h, child), length = snprintf(number, sizeof number, "%d", (int)pid);
    child->in_group = group >= 0 && write(group, number, (size_t)length) == length;
    if (group >= 0)
        close(group);
    started(h, child, pid);
}

static void host_failed(void *self, unsigned worker, int number, const char *reason)
{
    struct loop *h = self;
    struct helper_answer failed = {.type = HELPER_FAILED, .number = number};
    snprintf(failed.reason, sizeof failed.reason, "%s", reason);
    h->children[worker].waits = false;
    answer(h, &h->children[worker], &failed);
}

/* ---- ending ---- */

static void sweep_in(struct loop *h, double seconds)
{
    double due = clock_now() + seconds;
    if (h->sweep_due == 0 || due < h->sweep_due)
        h->sweep_due = due;
}

static void reap(struct loop *h, struct child *child)
{
    int status = 0;
    struct rusage usage;
    struct helper_answer ended = {.type = HELPER_ENDED};
    /* Until it is reaped, the zombie keeps the group's number from being used again. */
    kill(-child->pid, SIGKILL);
    if (h->sees_processes)
        processes_count_bytes(child->pid, &ended.read, &ended.written);
    pid_t pid = wait4(child->pid, &status, 0, &usage);
    while (pid < 0 && errno == EINTR)
        pid = wait4(child->pid, &status, 0, &usage);
    if (pid != child->pid)
        return;
    ended.status = status;
    ended.processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                      (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    ended.peak_memory = (uint64_t)usage.ru_maxrss * 1024;
    if (h->cgroups && !child->over_memory)
        child->over_memory = cgroups_over(h->cgroups, (unsigned)(child - h->children));
    if (h->cgroups)
        cgroups_end(h->cgroups, (unsigned)(child - h->children));
    ended.over_memory = child->over_memory;
    ended.signalled = child->signalled;
    child->pid = 0;
    sweep_in(h, child->over_memory ? 0 : SWEEP_INTERVAL);
    answer(h, child, &ended);
}

static struct child *child_of(struct loop *h, pid_t pid)
{
    for (unsigned i = 0; i < h->count; i++)
        if (h->children[i].pid == pid)
            return &h->children[i];
    return NULL;
}

/* A service, a host, one of its spares, or an orphan that we inherited. */
static void reap_other(struct loop *h, pid_t pid)
{
    int status = 0;
    if (waitpid(pid, &status, WNOHANG) != pid)
        return;
    services_ended(&h->services, pid);
    hosts_ended(h->hosts, pid, status);
}

static void reap_all(struct loop *h)
{
    struct signalfd_siginfo ignored;
    while (read(h->signals, &ignored, sizeof ignored) > 0)
        ;
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
            return;
        struct child *child = child_of(h, info.si_pid);
        if (child)
            reap(h, child);
        else
            reap_other(h, info.si_pid);
    }
}

/* ---- the sweep ---- */

/* True for programs and the helper's own processes. */
static bool is_known(struct loop *h, pid_t pid)
{
    return child_of(h, pid) || hosts_know(h->hosts, pid) || services_know(&h->services, pid);
}

/*
 * A host makes a process for a trial by two forks, so it is our child before the host has said so.
 * The mark is for trials that may be no subreapers, in a host in a container: of others it proves
 * nothing, since a process can give itself the mark of any trial.
 */
static void sweep_one(void *self, pid_t pid, const struct process *process)
{
    struct loop *h = self;
    if (process->parent != getpid() || is_known(h, pid))
        return;
    uint64_t trial = processes_trial(pid);
    if (trial == 0 && !h->ending && hosts_expect(h->hosts)) {
        sweep_in(h, SWEEP_INTERVAL);
        return;
    }
    for (unsigned i = 0; i < h->count; i++)
        if (h->children[i].pid && h->children[i].may_lose && h->children[i].trial == trial)
            return;
    kill(pid, SIGKILL);
    sweep_in(h, SWEEP_AGAIN);
}

static void sweep(struct loop *h)
{
    h->sweep_due = 0;
    if (services_sweep(&h->services))
        sweep_in(h, SWEEP_INTERVAL);
    if (h->sees_processes)
        processes_visit(sweep_one, h);
}

/* ---- memory ---- */

static void over_memory(struct child *child, uint64_t used)
{
    if (!child->over_memory && used > child->memory) {
        child->over_memory = used;
        kill(-child->pid, SIGKILL);
    }
}

static void *program_of(void *self, pid_t pid)
{
    return pid > 0 ? child_of(self, pid) : NULL;
}

static void sum_up_families(struct loop *h)
{
    family_read(&h->family, program_of, h);
    for (size_t i = 0; i < h->family.count; i++) {
        const struct relative *relative = &h->family.all[i];
        struct child *child = relative->root;
        if (child)
            child->family_memory += relative->process.resident;
        else if (relative->process.parent == getpid() && !is_known(h, relative->pid))
            sweep_in(h, 0); /* a program that wants to lose it is no subreaper any more */
    }
}

static void look_at_memory(struct loop *h)
{
    double now = clock_now();
    bool whole = now >= h->family_due, any = false;
    if (whole)
        sum_up_families(h);
    for (unsigned i = 0; i < h->count; i++) {
        struct child *child = &h->children[i];
        struct process process;
        uint64_t used = child->family_memory;
        child->family_memory = 0;
        if (child->pid == 0 || child->memory == 0 || child->in_group)
            continue;
        any = true;
        if (whole)
            over_memory(child, used);
        else if (processes_read(child->pid, &process))
            over_memory(child, process.resident);
    }
    if (whole)
        h->family_due = now + FAMILY_INTERVAL;
    h->memory_due = any ? now + MEMORY_INTERVAL : 0;
}

/* ---- the loop ---- */

/*
 * A container runtime that waits for its program may die of SIGTERM at once; then the program would
 * be killed with the rest of the group, without time to end itself. So the runtime is spared.
 */
static void terminate_guarded(void *self, pid_t pid, const struct process *process)
{
    const struct child *child = self;
    if (process->session == child->pid && pid != child->pid)
        kill(pid, SIGTERM);
}

/* A program that has already ended must not look as if the signal had ended it. */
static void send_signal(struct loop *h, struct child *child, const struct helper_request *request)
{
    reap_all(h);
    if (child->trial != request->trial)
        return;
    if (child->waits && hosts_forget(h->hosts, (unsigned)(child - h->children))) {
        child->waits = false;
        answer(h, child,
               &(struct helper_answer){
                   .type = HELPER_ENDED, .status = request->signal, .signalled = true});
    }
    if (!child->pid)
        return;
    child->signalled = true;
    if (child->has_monitor && request->signal == SIGTERM && h->sees_processes)
        processes_visit(terminate_guarded, child);
    else
        kill(-child->pid, request->signal);
}

static void end_service(struct loop *h, uint64_t id)
{
    services_end(&h->services, id);
    sweep_in(h, SWEEP_INTERVAL);
}

static void begin(struct child *child, const struct helper_request *request, bool waits)
{
    child->trial = request->trial;
    child->memory = request->memory;
    child->over_memory = 0;
    child->signalled = false;
    child->waits = waits;
    child->has_monitor = request->has_monitor && request->host == 0;
    child->may_lose = request->is_inside && request->host > 0;
}

static void take_spawn(struct loop *h, struct child *child, const struct helper_request *request,
                       struct msghdr *message, size_t length)
{
    char *strings = h->packet + sizeof *request;
    int descriptors[HELPER_DESCRIPTORS];
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    size_t count = header ? (header->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    if (count > HELPER_DESCRIPTORS)
        count = HELPER_DESCRIPTORS;
    if (count > 0)
        memcpy(descriptors, CMSG_DATA(header), count * sizeof *descriptors);
    if (request->type == HELPER_START)
        begin(child, request, count == 2 && request->host > 0);
    if (request->type == HELPER_SERVICE) {
        if (count == 2)
            services_start(&h->services, request, strings, descriptors);
    } else if (child->waits)
        hosts_spawn(h->hosts, (unsigned)(child - h->children), request, strings,
                    length - sizeof *request, descriptors);
    else if (count >= 2)
        spawn(h, child, request, strings, descriptors, count);
    else /* the helper has no descriptors left */
        answer(h, child, &(struct helper_answer){.type = HELPER_FAILED, .number = EMFILE});
    while (count > 0)
        close(descriptors[--count]);
}

/* Handles one request from a channel; closes the channel at its end. */
static void serve(struct loop *h, struct child *child)
{
    struct helper_request request;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(HELPER_DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec vector = {h->packet, HELPER_REQUEST_LIMIT};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t length = recvmsg(child->channel, &message, MSG_CMSG_CLOEXEC);
    if (length < (ssize_t)sizeof request) {
        if (length < 0 && errno == EINTR)
            return;
        close_channel(h, child);
        return;
    }
    memcpy(&request, h->packet, sizeof request);
    if (request.type == HELPER_SIGNAL)
        send_signal(h, child, &request);
    else if (request.type == HELPER_SERVICE_END)
        end_service(h, request.trial);
    else
        take_spawn(h, child, &request, &message, (size_t)length);
}

static int until_due(const struct loop *h)
{
    double due = h->memory_due;
    if (h->sweep_due != 0 && (due == 0 || h->sweep_due < due))
        due = h->sweep_due;
    if (due == 0)
        return -1;
    double left = (due - clock_now()) * 1e3;
    return left <= 0 ? 0 : (int)left + 1;
}

/* Kills all that is left, including orphans inherited on the way. */
static void end_everything(struct loop *h)
{
    h->ending = true;
    for (unsigned i = 0; i < h->count; i++)
        if (h->children[i].pid)
            kill(-h->children[i].pid, SIGKILL);
    hosts_close(h->hosts);
    for (int rounds = 0; rounds < 100; rounds++) {
        if (rounds == 50) { /* their sockets are closed, and they had time to end */
            hosts_kill(h->hosts);
            services_kill(&h->services);
        }
        reap_all(h);
        siginfo_t info;
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD)
            return;
        if (rounds % 10 == 1 && h->sees_processes)
            sweep(h);
        poll(NULL, 0, rounds < 10 ? 1 : 20);
    }
}

static void prepare(struct loop *h, const int *channels, unsigned count)
{
    sigset_t blocked;
    setsid();                 /* mpirun kills all of Wick's group: we must survive to clean up */
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, the kernel would reap children itself */
    h->sees_processes = processes_are_ours();
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    /* Ctrl-C and a scheduler's signals at the end of a job reach us as well, but Wick decides. */
    static const int others[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        sigaddset(&blocked, others[i]);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    h->signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (h->signals < 0)
        _exit(1);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    h->count = h->open_channels = count;
    h->children = memory_new(count, sizeof *h->children);
    for (unsigned i = 0; i < count; i++)
        h->children[i].channel = channels[i];
    h->packet = memory_new(HELPER_REQUEST_LIMIT, 1);
    h->hosts = hosts_create(count, &(struct hosts_owner){h, host_started, host_failed});
}

/* Handles what came in; `others` is how many polls belong to the hosts. */
static void handle(struct loop *h, const struct pollfd *polls, unsigned others)
{
    bool hosts_ready = false;
    for (unsigned i = 0; i < others; i++)
        hosts_ready = hosts_ready || polls[h->count + 1 + i].revents;
    if (polls[h->count].revents)
        reap_all(h);
    if (hosts_ready)
        hosts_serve(h->hosts);
    for (unsigned i = 0; i < h->count; i++)
        if (polls[i].revents && h->children[i].channel >= 0)
            serve(h, &h->children[i]);
}

void loop_run(const int *channels, unsigned count)
{
    struct loop helper = {0}, *h = &helper;
    prepare(h, channels, count);
    struct pollfd *polls = memory_new(count + 1 + HOSTS_POLLS, sizeof *polls);
    while (h->open_channels > 0) {
        for (unsigned i = 0; i < count; i++)
            polls[i] = (struct pollfd){h->children[i].channel, POLLIN, 0};
        polls[count] = (struct pollfd){h->signals, POLLIN, 0};
        unsigned others = hosts_polls(h->hosts, polls + count + 1);
        if (poll(polls, count + 1 + others, until_due(h)) > 0)
            handle(h, polls, others);
        if (h->memory_due != 0 && clock_now() >= h->memory_due)
            look_at_memory(h);
        if (h->sweep_due != 0 && clock_now() >= h->sweep_due)
            sweep(h);
    }
    end_everything(h);
    hosts_free(h->hosts);
    family_free(&h->family);
    if (h->cgroups)
        cgroups_close(h->cgroups);
    free(h->services.all);
    free(polls);
    free(h->packet);
    free(h->children);
    close(h->signals);
}
