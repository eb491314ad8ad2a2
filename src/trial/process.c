/*
 * process.c - the life of a trial's program between its request (request.c) and its verdict
 * (verdict.c): time limit, questions whether to stop, signals.
 */
#include "trial/runner.h"

#include <math.h>
#include <signal.h>
#include <sys/socket.h>

static const double CARE_INTERVAL = 2;    /* seconds: the energy counters must not wrap */
static const double FIRST_QUESTION = 0.1; /* seconds: see patience() */

static void end(struct trial_runner *r, enum ending ending);

static void prepare(struct trial_runner *r, struct helper *helper)
{
    r->helper = helper;
    r->folder = realpath(r->dir, NULL);
    if (!r->folder)
        r->folder = memory_copy(r->dir);
    r->channel = helper_channel(helper, r->slot->channel);
    r->descriptors = helper_descriptors(helper);
    comm_watch(r->comm, r->channel, verdict_hear, r);
    reported_prepare(r, helper);
    languages_find(&r->languages);
    machine_energy_open(&r->energy, "");
}

/* ---- running ---- */

/*
 * What has to be done now and then while a program runs. A helper that a trial has stopped hears
 * no end of any trial, and nothing else would wake it where there is no time limit.
 */
static void take_care(void *argument)
{
    struct trial_runner *r = argument;
    r->care_timer = comm_after(r->comm, CARE_INTERVAL, take_care, r);
    machine_energy_look(&r->energy);
    helper_wake(r->helper);
}

static void over_time(void *argument)
{
    struct trial_runner *r = argument;
    r->timer = 0;
    end(r, ENDING_TIMEOUT);
}

void process_started(struct trial_runner *r)
{
    r->running = true;
    if (r->study->model.timeout > 0)
        r->timer = comm_after(r->comm, r->study->model.timeout, over_time, r);
    r->care_timer = comm_after(r->comm, CARE_INTERVAL, take_care, r);
}

/* ---- ending ---- */

static void send_signal(struct trial_runner *r, int number)
{
    struct helper_request request = {.type = HELPER_SIGNAL, .signal = number, .trial = r->id};
    helper_tell(r->channel, &request);
    helper_wake(r->helper);
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

static void forget(struct trial_runner *r)
{
    if (!r->helper_lost)
        comm_unwatch(r->comm, r->channel);
    reported_forget(r);
    free(r->folder);
    machine_energy_close(&r->energy);
}

const struct runner_kind process_kind = {
    .prepare = prepare, .run = request_run, .end = end, .forget = forget};
