/* process.c - the life of a trial's program: started by the helper, watched from here. */
#include "trial/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DRAIN_LIMIT = 4 << 20 }; /* bytes that are read of a pipe after the end */

static const double SHOW_INTERVAL = 2; /* seconds between copies of the output of a running trial */
static const double FIRST_QUESTION = 0.1; /* seconds: see patience() */

static void take_answer(void *argument);
static void end(struct trial_runner *r, enum ending ending);

static void prepare(struct trial_runner *r, struct helper *helper)
{
    r->channel = helper_channel(helper, r->slot->channel);
    r->descriptors = helper_descriptors(helper);
    comm_watch(r->comm, r->channel, take_answer, r);
    reported_prepare(r, helper);
    languages_find(&r->languages);
    machine_energy_open(&r->energy, "");
}

/* ---- output ---- */

/* Reads what a pipe has; closes it at its end. */
static void read_pipe(struct trial_runner *r, int *fd, size_t limit)
{
    char bytes[65536];
    while (*fd >= 0 && limit > 0) {
        ssize_t got = read(*fd, bytes, sizeof bytes);
        if (got > 0) {
            output_add(&r->output, bytes, (size_t)got, fd == &r->out);
            limit -= (size_t)got < limit ? (size_t)got : limit;
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        comm_unwatch(r->comm, *fd);
        close(*fd);
        *fd = -1;
    }
}

/* One read per event: a program that floods us must not keep the worker from its timers. */
static void read_out(void *argument)
{
    struct trial_runner *r = argument;
    read_pipe(r, &r->out, 1);
}

static void read_err(void *argument)
{
    struct trial_runner *r = argument;
    read_pipe(r, &r->err, 1);
}

/* After the end: reads what is left in a pipe, which somebody may still hold open. */
static void drain(struct trial_runner *r, int *fd)
{
    read_pipe(r, fd, DRAIN_LIMIT);
    if (*fd >= 0) {
        comm_unwatch(r->comm, *fd);
        close(*fd);
        *fd = -1;
    }
}

/* The program has ended: reads what it left in its pipes. */
static void close_output(struct trial_runner *r)
{
    drain(r, &r->out);
    drain(r, &r->err);
    reported_end(r);
    comm_cancel(r->comm, r->show_timer);
    r->show_timer = 0;
    files_hide_output(r);
    r->running = false;
}

static void finish(struct trial_runner *r)
{
    files_remove(r);
    runner_finish(r);
}

/* ---- starting ---- */

/* Of a trial that takes long: shows its output to `wick show`, and reads the energy counters. */
static void show_output(void *argument)
{
    struct trial_runner *r = argument;
    r->show_timer = comm_after(r->comm, SHOW_INTERVAL, show_output, r);
    machine_energy_look(&r->energy);
    files_show_output(r);
}

static void over_time(void *argument)
{
    struct trial_runner *r = argument;
    r->timer = 0;
    end(r, ENDING_TIMEOUT);
}

/* Makes the pipes and hands the request to the helper; false when that failed. */
static bool launch(struct trial_runner *r, const struct str *packet)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    bool good = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0;
    if (good) {
        int ends[2] = {out[1], err[1]};
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        fcntl(err[0], F_SETFL, O_NONBLOCK);
        good = helper_send(r->channel, packet, ends, 2, 0) == 0;
    }
    int number = errno;
    for (int i = good ? 1 : 0; i < 2; i++) {
        if (out[i] >= 0)
            close(out[i]);
        if (err[i] >= 0)
            close(err[i]);
    }
    if (!good) {
        verdict_not_started(r, number, "start a process");
        return false;
    }
    r->out = out[0];
    r->err = err[0];
    comm_watch(r->comm, r->out, read_out, r);
    comm_watch(r->comm, r->err, read_err, r);
    return true;
}

void process_run(struct trial_runner *r)
{
    struct str packet = {0}, params = {0};
    space_put_json(&r->study->space, r->point, &params);
    bool built = request_build(r, str_text(&params), &packet);
    output_begin(&r->output, &r->study->model);
    r->signalled = r->killed = false;
    reported_begin(r);
    machine_energy_begin(&r->energy);
    bool good = !r->helper_lost && built;
    if (!built)
        verdict_say(r, OUTCOME_FAILED,
                    "Wick's files for this language are missing from its installation");
    else if (!good)
        verdict_say(r, OUTCOME_INTERRUPTED, "the helper process that starts trials has died");
    if (good && packet.length > HELPER_REQUEST_LIMIT) {
        verdict_say(r, OUTCOME_FAILED, "its command line and environment are longer than %d bytes",
                    HELPER_REQUEST_LIMIT);
        good = false;
    }
    good = good && files_write(r, str_text(&params), params.length) && launch(r, &packet);
    str_free(&packet);
    str_free(&params);
    r->running = good;
    if (!good) {
        reported_end(r);
        finish(r);
        return;
    }
    if (r->study->model.timeout > 0)
        r->timer = comm_after(r->comm, r->study->model.timeout, over_time, r);
    r->show_timer = comm_after(r->comm, SHOW_INTERVAL, show_output, r);
}

/* ---- ending ---- */

static void send_signal(struct trial_runner *r, int number)
{
    struct helper_request request = {.type = HELPER_SIGNAL, .signal = number, .trial = r->id};
    (void)!send(r->channel, &request, sizeof request, MSG_NOSIGNAL);
}

static void end_hard(void *argument)
{
    struct trial_runner *r = argument;
    r->timer = 0;
    r->killed = true;
    send_signal(r, SIGKILL);
}

static void set_timer(struct trial_runner *r, double seconds, comm_handler *handler)
{
    if (r->timer)
        comm_cancel(r->comm, r->timer);
    r->timer = comm_after(r->comm, seconds, handler, r);
}

/* SIGTERM now, SIGKILL after the grace. */
static void end_softly(void *argument)
{
    struct trial_runner *r = argument;
    r->signalled = true;
    send_signal(r, SIGTERM);
    set_timer(r, r->study->model.grace, end_hard);
}

/*
 * How long to wait until the program asks whether to stop: twice its longest time between two
 * questions, once it has asked; before that, only for the question that may follow its last step.
 */
static double patience(const struct trial_runner *r)
{
    const struct study_model *model = &r->study->model;
    double seconds = r->reported.asked > 0 ? fmax(model->grace, 2 * r->reported.longest_gap)
                                           : fmin(model->grace, FIRST_QUESTION);
    if (model->timeout > 0)
        seconds = fmin(seconds, r->outcome.started + model->timeout - comm_now(r->comm));
    return fmax(seconds, 0);
}

/*
 * A program that asks whether to stop ends itself when it is told; one that does not ask, or no
 * longer asks, is ended. An interruption of the study does not wait for either.
 */
static void end(struct trial_runner *r, enum ending ending)
{
    if (r->copy)
        checkpoint_cancel(r, ending);
    if (!r->running || r->signalled)
        return;
    if (r->ending == ENDING_STOP && ending != ENDING_INTERRUPT)
        return;
    if (r->ending == ENDING_NOT)
        r->ending = ending;
    if (ending == ENDING_STOP)
        set_timer(r, patience(r), end_softly);
    else
        end_softly(r);
}

/* One that is told to leave has no time limit: it is interrupted when the machine is taken away. */
void process_answer(struct trial_runner *r, uint64_t call, enum trial_word word)
{
    bool first = r->running && !r->reported.stop && !r->signalled;
    if (first && word == TRIAL_ENOUGH) {
        r->ending = ENDING_STOP;
        set_timer(r, r->study->model.grace, end_softly);
    } else if (first && word == TRIAL_LEAVE && r->ending == ENDING_NOT) {
        r->ending = ENDING_INTERRUPT;
    }
    r->reported.stop |= first && word != TRIAL_GO_ON;
    socket_answer(r->socket, call, word != TRIAL_GO_ON);
}

static void ended(struct trial_runner *r, const struct helper_answer *answer)
{
    close_output(r);
    output_end(&r->output, &r->outcome); /* a language host that failed has said why */
    if (answer->type == HELPER_ENDED)
        verdict_ended(r, answer);
    else
        verdict_not_run(r, answer);
    finish(r);
}

/* The helper has died, and its programs with it: nothing can run here any more. */
static void lost(struct trial_runner *r)
{
    comm_unwatch(r->comm, r->channel);
    r->helper_lost = true;
    if (!r->running)
        return;
    close_output(r);
    verdict_say(r, OUTCOME_INTERRUPTED, "the helper process that starts trials has died");
    finish(r);
}

static void take_answer(void *argument)
{
    struct trial_runner *r = argument;
    struct helper_answer answer;
    ssize_t length = recv(r->channel, &answer, sizeof answer, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length != sizeof answer)
        lost(r);
    else
        ended(r, &answer);
}

static void forget(struct trial_runner *r)
{
    if (!r->helper_lost)
        comm_unwatch(r->comm, r->channel);
    reported_forget(r);
    machine_energy_close(&r->energy);
}

/* A copy of its origin's checkpoint comes first, where it has one. */
static void run(struct trial_runner *r)
{
    if (!checkpoint_begin(r))
        process_run(r);
}

const struct runner_kind process_kind = {
    .prepare = prepare, .run = run, .end = end, .forget = forget};
