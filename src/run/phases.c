/*
 * phases.c - the run around the loop: its start, why and how it ends, and its progress.
 *
 *   RUN_GOING ── budget used up, search exhausted ─────────────────────────▶ RUN_FINISHING
 *       │                                                                          ▲
 *       ├── time is up, deadline, Ctrl-C, wick stop ──▶ RUN_DRAINING ── none runs ─┤
 *       │                                                   │                      │
 *       └── target reached, all fail alike, SIGTERM,        ▼                      │
 *           Ctrl-C twice, disk full, wick stop --now ▶ RUN_STOPPING ─── none runs ─┘
 *
 * While it drains, what runs goes on to its end; when it stops, trials are told to end. While it
 * finishes, the workers are sent home.
 */
#include "run/driver.h"
#include "run/role.h"

#include <math.h>

static const double INBOX_INTERVAL = 1; /* seconds between looks at the study folder */

double driver_time(const struct driver *d)
{
    return comm_now(d->comm) + d->clock.offset;
}

/* ---- the end ---- */

/* True when the queue has more to read. The user learns of one that cannot be read, once. */
static bool look_into_queue(struct driver *d)
{
    struct inbox_queue *queue = &d->supply.queue;
    bool more = inbox_queue_look(queue);
    if (queue->trouble[0] && !d->supply.queue_troubled && d->observer->queue_troubled)
        d->observer->queue_troubled(d->observer->self, queue->trouble);
    d->supply.queue_troubled |= queue->trouble[0] != 0;
    return more;
}

/*
 * Hands queued points to workers that are idle; the others get theirs when they want a trial. True
 * when the queue has more to read.
 */
static bool serve_queue(struct driver *d)
{
    bool more = look_into_queue(d);
    size_t idle = inbox_queue_waiting(&d->supply.queue) > 0 ? workload_idle(&d->workload) : 0;
    while (idle > 0 && inbox_queue_waiting(&d->supply.queue) > 0 && driver_put_next(d))
        idle--;
    return more;
}

/* The last look before the end: true when the user has queued more. */
static bool has_queued(struct driver *d)
{
    if (d->supply.time_used)
        return false;
    while (serve_queue(d) && balance_open(d->server) == 0)
        ; /* nothing runs that could be kept waiting */
    return balance_open(d->server) > 0;
}

/* True while trials run, or more will be started. */
static bool has_work(struct driver *d)
{
    const struct supply *supply = &d->supply;
    bool going = d->progress.phase == RUN_GOING, busy = balance_open(d->server) > 0;
    bool budget_left = standing_trials_left(d->options->trials, search_asked(d->search)) > 0;
    if (supply->waits && !d->steer && going && !busy)
        BUG("the %s search waits for a result, and no trial runs", d->study->search.algorithm);
    bool more = driver_has_waiting(d) || (budget_left && !supply->exhausted && !supply->time_used);
    return busy || (going && more) || (going && has_queued(d));
}

static enum journal_end natural_end(const struct driver *d)
{
    if (d->supply.time_used)
        return END_TIME;
    bool budget_left = standing_trials_left(d->options->trials, search_asked(d->search)) > 0;
    return budget_left ? END_EXHAUSTED : END_DONE;
}

void driver_finish_if_over(struct driver *d)
{
    driver_serve_idle(d);
    if (d->progress.phase == RUN_FINISHING || has_work(d) || d->progress.phase == RUN_FINISHING)
        return; /* asking for work may have ended the run by itself */
    if (d->steer && !steer_finish(d->steer))
        return;
    if (d->progress.phase == RUN_GOING)
        d->progress.end = natural_end(d);
    d->progress.phase = RUN_FINISHING;
    balance_finish(d->server);
}

/* True when `end` is to be the reason in place of the one before. */
static bool replaces(const struct driver *d, enum journal_end end, bool hard)
{
    enum journal_end before = d->progress.end;
    bool worse = hard && standing_was_asked(end) && before != END_TARGET;
    bool may_go_on = standing_after(before) == STANDING_INTERRUPTED;
    return d->progress.phase == RUN_GOING || end == END_BROKEN ||
           (worse && d->progress.phase == RUN_DRAINING) || (end == END_STOPPED && may_go_on);
}

void driver_stop(struct driver *d, enum journal_end end, bool hard)
{
    if (replaces(d, end, hard))
        d->progress.end = end;
    if (d->progress.phase == RUN_FINISHING)
        return;
    if (hard && d->progress.phase != RUN_STOPPING) {
        d->progress.phase = RUN_STOPPING;
        d->hurried = true;
        balance_withdraw(d->server);
        balance_interrupt(d->server);
    } else if (d->progress.phase == RUN_GOING) {
        d->progress.phase = RUN_DRAINING;
        balance_withdraw(d->server);
    }
    driver_finish_if_over(d);
}

/* ---- reasons to end ---- */

static void time_is_up(void *self)
{
    driver_stop(self, END_TIME, false);
}

/* What runs is ended, and goes on after a resume. */
static void machine_is_gone(void *self)
{
    driver_stop(self, END_DEADLINE, true);
}

static void tell_to_leave(void *self, struct live_trial *trial)
{
    driver_order(self, trial, (int)trial->worker, WORKER_LEAVE);
}

static void user_asked(void *self)
{
    struct driver *d = self;
    enum run_request request = d->observer->asked(d->observer->self);
    if (request == RUN_ASKED_NOTICE) {
        double seconds = notice_given(&d->notice);
        if (seconds > 0 && d->observer->noticed)
            d->observer->noticed(d->observer->self, seconds);
    } else if (request != RUN_ASKED_NOTHING) {
        driver_stop(d, END_INTERRUPTED,
                    request == RUN_ASKED_NOW || d->progress.phase == RUN_DRAINING);
    }
}

/* Has the output of trials copied that somebody looks at. */
static void serve_looks(struct driver *d)
{
    uint64_t ids[INBOX_LOOKS];
    size_t count = inbox_look_take(d->dir, ids);
    for (size_t i = 0; i < count; i++) {
        struct live_trial *trial = live_look(&d->live, ids[i]);
        if (!trial || trial->worker == 0)
            continue;
        trial->looked_at = true;
        driver_order(d, trial, (int)trial->worker, WORKER_SHOW);
    }
}

static void look_into_inbox(void *self)
{
    struct driver *d = self;
    bool now;
    if (d->progress.phase != RUN_FINISHING && inbox_stop_obey(d->dir, &now))
        driver_stop(d, END_STOPPED, now);
    serve_queue(d);
    serve_looks(d);
    comm_after(d->comm, INBOX_INTERVAL, look_into_inbox, d);
}

static void worker_lost(void *self, int worker)
{
    struct driver *d = self;
    int rank = balance_worker_rank(&d->rules, comm_size(d->comm), worker);
    const char *node = comm_node_name(d->comm, comm_node(d->comm, rank));
    if (d->workload.rests && d->workload.rests[rank])
        return;
    journal_lost(d->journal, driver_time(d), (unsigned)worker, node);
    if (d->observer->lost)
        d->observer->lost(d->observer->self, (unsigned)worker, node);
    if (++d->progress.lost < d->progress.workers || d->failure.code != 0)
        return;
    err_set(&d->failure, ERR_SYSTEM,
            "all workers were lost: finished trials are saved; continue with `wick resume %s`",
            d->options->dir);
    driver_stop(d, END_BROKEN, true);
}

/* Nobody can be told to stop any more: what ended is in the journal, and that is all. */
static void server_lost(void *self, int rank)
{
    struct driver *d = self;
    err_set(&d->failure, ERR_SYSTEM,
            "the server on rank %d (node %s) was lost: finished trials are saved; continue with "
            "`wick resume %s`",
            rank, comm_node_name(d->comm, comm_node(d->comm, rank)), d->options->dir);
    d->progress.end = END_BROKEN;
    comm_stop(d->comm);
}

/* A rank cannot do its part, and would leave holes: the study is stopped, with its reason. */
static void rank_failed(struct driver *d, const struct comm_message *m)
{
    if (d->failure.code != 0)
        return;
    memcpy(&d->failure, m->bytes, sizeof d->failure);
    driver_stop(d, END_BROKEN, true);
}

/* ---- progress ---- */

/* Seconds at work in the runs before this one. */
static double spent_before(const struct driver *d)
{
    return d->options->journal ? d->options->journal->spent : 0;
}

static double time_left(struct driver *d)
{
    const struct run_progress *p = &d->progress;
    struct standing_pace pace = {.total = p->budget,
                                 .ended = p->before + d->workload.times.count,
                                 .limit = d->options->time,
                                 .spent = spent_before(d) + p->elapsed};
    workload_pace(&d->workload, d->clock.began + p->elapsed, p->lost, &pace);
    return standing_time_left(&pace);
}

static double rate(const struct run_progress *p)
{
    return p->elapsed > 0 ? (double)(p->ended - p->before) / p->elapsed : 0;
}

static void measure(struct driver *d)
{
    struct run_progress *p = &d->progress;
    double now = comm_now(d->comm), seconds = workload_seconds(&d->workload, now);
    p->running = p->workers - workload_idle(&d->workload);
    p->elapsed = now - d->clock.began;
    p->rate = rate(p);
    p->busy = p->elapsed > 0 ? fmin(1, seconds / (p->elapsed * p->workers)) : 0;
    p->left = time_left(d);
}

static void tick(void *self)
{
    struct driver *d = self;
    measure(d);
    d->observer->progress(d->observer->self, &d->progress);
    comm_after(d->comm, d->observer->interval, tick, d);
}

void driver_end(struct driver *d)
{
    driver_publish(d, UINT64_MAX);
    d->progress.rate = rate(&d->progress);
    d->progress.left = time_left(d);
    d->progress.running = 0;
    if (d->observer->progress)
        d->observer->progress(d->observer->self, &d->progress);
}

/* ---- the actor ---- */

static void finished(void *self, size_t left)
{
    struct driver *d = self;
    (void)left; /* all trials are of one type, which every worker accepts */
    measure(d);
    d->clock.ended = driver_time(d);
    comm_stop(d->comm);
}

static void set_timers(struct driver *d)
{
    const struct run_options *options = d->options;
    struct notice_owner owner = {d, tell_to_leave, machine_is_gone};
    if (options->time > 0) {
        double left = options->time - spent_before(d);
        d->supply.time_used = left <= 0;
        if (left > 0)
            comm_after(d->comm, left, time_is_up, d);
    }
    notice_begin(&d->notice, d->comm, &d->live, options->deadline, owner);
    if (options->requests >= 0 && d->observer->asked)
        comm_watch(d->comm, options->requests, user_asked, d);
    if (d->observer->progress)
        comm_after(d->comm, d->observer->interval, tick, d);
    comm_watch(d->comm, journal_descriptor(d->journal), driver_journal_moved, d);
    look_into_queue(d);
    if (!options->world) /* nobody else is there in a simulation */
        comm_after(d->comm, INBOX_INTERVAL, look_into_inbox, d);
}

/* Tells users where a trial ran; with one node the record before says it. */
static void note_placement(struct driver *d)
{
    unsigned workers = d->workload.workers, nodes = d->progress.nodes;
    if (nodes < 2)
        return;
    const char **names = memory_new(workers + 1, sizeof *names);
    for (unsigned i = 0; i < workers; i++) {
        int rank = balance_worker_rank(&d->rules, comm_size(d->comm), (int)i + 1);
        if (!d->workload.rests || !d->workload.rests[rank])
            names[i] = comm_node_name(d->comm, comm_node(d->comm, rank));
    }
    journal_placed(d->journal, driver_time(d), nodes, names, workers);
    free(names);
}

static void start(void *self, struct comm *comm)
{
    struct driver *d = self;
    struct balance_owner owner = {.self = d,
                                  .wanted = driver_wanted,
                                  .given = driver_given,
                                  .ended = driver_ended,
                                  .noted = driver_noted,
                                  .worker_lost = worker_lost,
                                  .server_lost = server_lost,
                                  .finished = finished};
    d->comm = comm;
    d->clock.began = comm_now(comm);
    workload_begin(&d->workload, d->clock.began);
    d->clock.offset = journal_began(d->journal) - d->clock.began;
    d->progress.servers = (unsigned)balance_servers(&d->rules, comm_size(comm));
    d->progress.nodes = (unsigned)comm_nodes(comm);
    d->progress.mpi = d->options->mpi ? comm_mpi_version(comm) : "";
    if (d->options->mpi)
        role_tell(comm, d->study, d->dir, &d->rules, d->options->per_node);
    d->server = balance_create(comm, &d->rules, &owner);
    if (d->supply.thinking.quick)
        balance_limit_batch(d->server, d->options->rules.batch);
    journal_opened(d->journal, driver_time(d), d->progress.workers, d->options->trials,
                   d->options->time);
    note_placement(d);
    set_timers(d);
    if (d->observer->started)
        d->observer->started(d->observer->self, &d->progress);
    if (d->steer)
        steer_begin(d->steer, comm, d->progress.ended);
}

static void message(void *self, const struct comm_message *m)
{
    struct driver *d = self;
    if (m->type == ROLE_FAILED)
        rank_failed(d, m);
    else
        balance_message(d->server, m);
    driver_finish_if_over(d);
}

struct comm_actor driver_actor(struct driver *d)
{
    return (struct comm_actor){d, start, message};
}
