/* program.c - the life of a program, and both ends of its pipes. */
#include "steer/program.h"

#include "outcome/outcome.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DRAIN_LIMIT = 16 << 20 }; /* bytes that are read of a pipe after the end */
enum { PIPE_SIZE = 1 << 20 };

struct program {
    struct comm *comm;
    struct program_observer observer;
    double grace;
    int channel; /* to the helper */
    bool running, stopping;
    int in, out, err; /* our ends of its pipes; -1: closed */
    struct str told;  /* not yet written to `in` */
    bool is_full;     /* the pipe is: `in` is watched until there is room */
    bool hangs_up;
    int number;     /* errno, when what it says could not be read */
    uint64_t timer; /* 0: none */
    char name[80];  /* of the program, for messages */
    char folder[120];
    struct program_end end; /* of one that could not be started */
    struct outcome_log log;
};

/* ---- its input ---- */

static void close_in(struct program *p)
{
    if (p->is_full)
        comm_unwatch(p->comm, p->in);
    if (p->in >= 0)
        close(p->in);
    p->in = -1;
    p->is_full = false;
    str_free(&p->told);
}

/* Writes as much as the pipe takes; false when nobody listens any more. */
static bool write_some(struct program *p)
{
    size_t done = 0;
    while (done < p->told.length) {
        ssize_t n = write(p->in, p->told.text + done, p->told.length - done);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (n < 0 && errno == EAGAIN)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    str_drop(&p->told, done);
    return true;
}

static void write_in(void *argument)
{
    struct program *p = argument;
    if (p->in < 0)
        return;
    if (!write_some(p) || (p->told.length == 0 && p->hangs_up)) {
        close_in(p);
        return;
    }
    bool is_full = p->told.length > 0;
    if (is_full && !p->is_full)
        comm_watch_writable(p->comm, p->in, write_in, p);
    else if (!is_full && p->is_full)
        comm_unwatch(p->comm, p->in);
    p->is_full = is_full;
}

void program_tell(struct program *p, const void *bytes, size_t length)
{
    if (p->in < 0 || p->hangs_up)
        return;
    str_add_bytes(&p->told, bytes, length);
    if (!p->is_full)
        write_in(p);
}

size_t program_backlog(const struct program *p)
{
    return p->told.length;
}

void program_hang_up(struct program *p)
{
    p->hangs_up = true;
    if (!p->is_full)
        write_in(p);
}

/* ---- its output ---- */

static void close_pipe(struct program *p, int *fd)
{
    if (*fd < 0)
        return;
    comm_unwatch(p->comm, *fd);
    close(*fd);
    *fd = -1;
}

static void read_pipe(struct program *p, int *fd, size_t limit)
{
    char bytes[65536];
    while (*fd >= 0 && limit > 0) {
        ssize_t got = read(*fd, bytes, sizeof bytes);
        if (got > 0) {
            limit -= (size_t)got < limit ? (size_t)got : limit;
            if (fd == &p->out)
                p->observer.said(p->observer.self, bytes, (size_t)got);
            else
                outcome_log_add(&p->log, bytes, (size_t)got);
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else if (got < 0 && errno == EAGAIN) {
            return;
        } else {
            if (got < 0 && fd == &p->out) { /* nobody would hear its answers any more */
                p->number = errno;
                program_stop(p);
            }
            close_pipe(p, fd);
        }
    }
}

/* One read per event: a program that floods us must not keep us from the rest. */
static void read_out(void *argument)
{
    struct program *p = argument;
    read_pipe(p, &p->out, 1);
}

static void read_err(void *argument)
{
    struct program *p = argument;
    read_pipe(p, &p->err, 1);
}

uint64_t program_log(const struct program *p, struct str *log)
{
    outcome_log_copy(&p->log, log);
    return outcome_log_bytes(&p->log);
}

/* ---- its end ---- */

static void finish(struct program *p, const struct program_end *end)
{
    p->running = false;
    comm_unwatch(p->comm, p->channel);
    comm_cancel(p->comm, p->timer);
    p->timer = 0;
    close_in(p);
    read_pipe(p, &p->err, DRAIN_LIMIT);
    read_pipe(p, &p->out, DRAIN_LIMIT);
    close_pipe(p, &p->err);
    close_pipe(p, &p->out);
    p->observer.ended(p->observer.self, end);
}

static void take_answer(void *argument)
{
    struct program *p = argument;
    struct helper_answer answer;
    struct program_end end = {.exit_code = -1};
    ssize_t length = recv(p->channel, &answer, sizeof answer, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length != sizeof answer)
        snprintf(end.reason, sizeof end.reason, "the helper process that starts programs has died");
    else if (answer.type == HELPER_FAILED)
        snprintf(end.reason, sizeof end.reason, "cannot %s %s: %s",
                 answer.in_folder ? "enter" : "start", answer.in_folder ? p->folder : p->name,
                 strerror(answer.number));
    else if (p->number)
        snprintf(end.reason, sizeof end.reason, "cannot read what %s says: %s", p->name,
                 strerror(p->number));
    else if (WIFSIGNALED(answer.status))
        end.signal = WTERMSIG(answer.status);
    else
        end.exit_code = WEXITSTATUS(answer.status);
    finish(p, &end);
}

static void send_signal(struct program *p, int number)
{
    struct helper_request request = {.type = HELPER_SIGNAL, .signal = number};
    helper_tell(p->channel, &request);
}

static void kill_it(void *argument)
{
    struct program *p = argument;
    p->timer = 0;
    send_signal(p, SIGKILL);
}

void program_stop(struct program *p)
{
    if (!p->running || p->stopping)
        return;
    p->stopping = true;
    send_signal(p, SIGTERM);
    p->timer = comm_after(p->comm, p->grace, kill_it, p);
}

/* ---- its start ---- */

static void build_request(const struct program_plan *plan, struct rlimit descriptors,
                          struct str *packet)
{
    struct helper_request request = {.type = HELPER_START, .descriptors = descriptors};
    request.variables = (unsigned)plan->variable_count;
    while (plan->command[request.arguments])
        request.arguments++;
    str_add_bytes(packet, &request, sizeof request);
    str_add_bytes(packet, plan->folder, strlen(plan->folder) + 1);
    for (unsigned i = 0; i < request.arguments; i++)
        str_add_bytes(packet, plan->command[i], strlen(plan->command[i]) + 1);
    for (size_t i = 0; i < plan->variable_count; i++) {
        str_printf(packet, "%s=%s", plan->variables[i].name, plan->variables[i].value);
        str_add_char(packet, 0);
    }
}

static void close_pair(const int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

/* Makes the pipes and hands the request to the helper; false, and errno, when that failed. */
static bool launch(struct program *p, const struct str *packet)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    bool good = packet->length <= HELPER_REQUEST_LIMIT;
    errno = E2BIG;
    good = good && pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
           pipe2(err, O_CLOEXEC) == 0;
    if (good) {
        const int theirs[] = {out[1], err[1], in[0]};
        good = helper_send(p->channel, packet, theirs, 3, 0) == 0;
    }
    if (!good) {
        int number = errno;
        close_pair(in);
        close_pair(out);
        close_pair(err);
        errno = number;
        return false;
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    p->in = in[1];
    p->out = out[0];
    p->err = err[0];
    (void)!fcntl(p->in, F_SETPIPE_SZ, PIPE_SIZE); /* it may be less */
    const int ours[] = {p->in, p->out, p->err};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        fcntl(ours[i], F_SETFL, O_NONBLOCK);
    return true;
}

static void not_started(void *argument)
{
    struct program *p = argument;
    struct program_end end = p->end;
    p->timer = 0;
    finish(p, &end);
}

struct program *program_start(struct comm *comm, struct helper *helper, unsigned channel,
                              const struct program_plan *plan,
                              const struct program_observer *observer)
{
    struct program *p = memory_new(1, sizeof *p);
    struct str packet = {0};
    p->comm = comm;
    p->observer = *observer;
    p->grace = plan->grace;
    p->channel = helper_channel(helper, channel);
    p->in = p->out = p->err = -1;
    p->running = true;
    snprintf(p->name, sizeof p->name, "%s", plan->command[0]);
    snprintf(p->folder, sizeof p->folder, "%s", plan->folder);
    comm_watch(comm, p->channel, take_answer, p);
    build_request(plan, helper_descriptors(helper), &packet);
    if (launch(p, &packet)) {
        comm_watch(comm, p->out, read_out, p);
        comm_watch(comm, p->err, read_err, p);
    } else {
        p->end.exit_code = -1;
        snprintf(p->end.reason, sizeof p->end.reason, "cannot start %s: %s", p->name,
                 strerror(errno));
        p->timer = comm_after(comm, 0, not_started, p);
    }
    str_free(&packet);
    return p;
}

/* The run is over, or was cut short: nothing is watched any more. */
void program_free(struct program *p)
{
    if (!p)
        return;
    const int ours[] = {p->in, p->out, p->err};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (ours[i] >= 0)
            close(ours[i]);
    str_free(&p->told);
    free(p);
}
