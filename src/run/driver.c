/*
 * driver.c - the actor of rank 0: hands out suggestions, and knows when it is over.
 *
 * Its phases:
 *
 *   RUN_GOING ──── budget used up, search exhausted ───────────────▶ finishing
 *       │                                                               ▲
 *       ├── time is up, target reached, Ctrl-C,
 *       │   wick stop ──────────────────────────▶ RUN_DRAINING ── none runs
 *       │                                               │               │
 *       └── Ctrl-C twice, SIGTERM, disk full,
 *           wick stop --now ────────────────────▶ RUN_STOPPING (trials are told to end)
 */
#include "run/driver.h"
#include "earlier/earlier.h"
#include "run/post.h"

#include <math.h>

enum { REFUSALS = 20 }; /* suggestions that take too long, before it is given up */

bool driver_better(const struct driver *d, double a, double b)
{
    return d->study->model.maximize ? a > b : a < b;
}

double driver_time(const struct driver *d)
{
    return comm_now(d->comm) + d->offset;
}

/* ---- ending ---- */

void driver_finish_if_over(struct driver *d)
{
    promote_idle(d);
    bool waiting = d->again_next < d->again_count;
    bool budget_left = standing_trials_left(d->options->trials, search_asked(d->search)) > 0;
    bool more = waiting || promote_waits(d) || (budget_left && !d->exhausted && !d->no_new);
    if (d->waits && !d->steer && d->progress.phase == RUN_GOING && balance_open(d->server) == 0 &&
        !d->finishing)
        BUG("the %s search waits for a result, and no trial runs", d->study->search.algorithm);
    if ((more && d->progress.phase == RUN_GOING) || balance_open(d->server) > 0 || d->finishing)
        return;
    if ((d->progress.phase == RUN_GOING && queued_more(d)) || d->finishing)
        return;
    if (d->steer && !steer_finish(d->steer))
        return;
    if (d->progress.phase == RUN_GOING && d->no_new)
        d->progress.end = END_TIME;
    else if (d->progress.phase == RUN_GOING)
        d->progress.end = budget_left ? END_EXHAUSTED : END_DONE;
    d->finishing = true;
    balance_finish(d->server);
}

/*
 * Starts nothing more; `hard`: ends what runs as well. A first reason to end stays, unless a later
 * one leaves trials interrupted that would have ended, or the user says that it is to stay ended.
 */
void driver_stop(struct driver *d, enum journal_end end, bool hard)
{
    bool worse = hard && standing_was_asked(end) && d->progress.end != END_TARGET;
    bool may_go_on = standing_after(d->progress.end) == STANDING_INTERRUPTED;
    if (d->progress.phase == RUN_GOING || end == END_BROKEN ||
        (worse && d->progress.phase == RUN_DRAINING) || (end == END_STOPPED && may_go_on))
        d->progress.end = end;
    if (hard && d->progress.phase != RUN_STOPPING) {
        d->progress.phase = RUN_STOPPING;
        balance_withdraw(d->server);
        balance_interrupt(d->server);
    } else if (d->progress.phase == RUN_GOING) {
        d->progress.phase = RUN_DRAINING;
        balance_withdraw(d->server);
    }
    driver_finish_if_over(d);
}

static void time_is_up(void *self)
{
    driver_stop(self, END_TIME, false);
}

static void user_asked(void *self)
{
    struct driver *d = self;
    enum run_request request = d->observer->asked(d->observer->self);
    if (request == RUN_ASKED_NOTICE)
        notice_given(d);
    else if (request != RUN_ASKED_NOTHING)
        driver_stop(d, END_INTERRUPTED,
                    request == RUN_ASKED_NOW || d->progress.phase == RUN_DRAINING);
}

/* ---- handing out ---- */

void driver_again(struct driver *d, uint64_t id)
{
    d->again = memory_grow(d->again, &d->again_capacity, d->again_count + 1, sizeof *d->again);
    d->again[d->again_count++] = id;
}

void driver_note_duration(struct driver *d, const double *point, double seconds)
{
    if (d->forecast)
        forecast_note(d->forecast, point, seconds);
}

/*
 * A suggestion that fits into the time that is left: others are asked for instead of those that do
 * not, which wait for a resume. When none of a few does, or there are no others, no more trials are
 * begun. A reproducible search has no others: what it suggests must not depend on the time.
 */
static enum search_answer ask(struct driver *d)
{
    int most = d->settings.reproducible ? 0 : REFUSALS;
    enum search_answer answer = search_ask(d->search, d->point);
    for (int i = 0; answer == SEARCH_POINT && !driver_fits(d, d->point); i++) {
        d->refused = true;
        bool taken_back = i < most && search_refuse(d->search);
        answer = taken_back ? search_ask(d->search, d->point) : SEARCH_END;
    }
    if (answer != SEARCH_END || !d->refused)
        return answer;
    driver_stop(d, END_DEADLINE, false);
    return SEARCH_WAIT;
}

/* A trial that is to run again and fits, or NULL; without one that fits the time is up. */
static struct live_trial *next_again(struct driver *d)
{
    struct live_trial *trial = live_find(&d->live, d->again[d->again_next]);
    if (driver_fits(d, live_point(&d->live, trial))) {
        d->again_next++;
        return trial;
    }
    driver_stop(d, END_DEADLINE, false);
    return NULL;
}

/* The next trial to run, in `live`; NULL when there is none now. */
static struct live_trial *next_trial(struct driver *d)
{
    if (d->again_next < d->again_count)
        return next_again(d);
    if (!d->no_new && inbox_queue_waiting(&d->queue) > 0)
        return queued_next(d);
    if (promote_waits(d))
        return promote_next(d);
    if (standing_trials_left(d->options->trials, search_asked(d->search)) == 0)
        return NULL;
    if (d->exhausted || d->no_new)
        return NULL;
    enum search_answer answer = ask(d);
    d->exhausted = answer == SEARCH_END;
    d->waits = answer == SEARCH_WAIT;
    if (answer != SEARCH_POINT)
        return NULL;
    struct live_trial *trial = live_add(&d->live, search_asked(d->search), 1, d->point);
    if (d->steer)
        trial->suggestion = steer_taken(d->steer);
    trial->origin = (uint64_t)(search_origin(d->search) + 1);
    return trial;
}

unsigned driver_put_next(struct driver *d)
{
    bool is_over = d->progress.phase != RUN_GOING || d->finishing; /* what is queued now is late */
    struct live_trial *trial = is_over ? NULL : next_trial(d);
    if (!trial)
        return 0;
    trial->ranks = study_ranks(d->study, live_point(&d->live, trial));
    str_clear(&d->task);
    struct trial_task try = {.try = trial->try,
                             .point = live_point(&d->live, trial),
                             .origin = trial->origin,
                             .step = trial->step};
    worker_put_task(&d->task, &try, d->live.width);
    struct balance_task task = {
        .id = trial->id, .bytes = d->task.text, .length = d->task.length, .workers = trial->ranks};
    unsigned ranks = trial->ranks;
    d->ahead.waiting++;
    balance_put(d->server, &task);
    return ranks;
}

static void wanted(void *self, size_t count)
{
    struct driver *d = self;
    if (d->steer)
        steer_wanted(d->steer, count);
    else if (d->learns)
        ahead_wanted(d, count);
    else
        for (size_t put = 0, ranks; put < count && (ranks = driver_put_next(d)) > 0; put += ranks)
            ;
}

void driver_occupy(struct driver *d, struct live_trial *trial, unsigned worker)
{
    double now = comm_now(d->comm);
    if (trial->worker) {
        d->occupations[trial->worker].tasks--;
        d->occupations[trial->worker].since = now;
    }
    if (worker && d->occupations[worker].tasks++ == 0)
        d->occupations[worker].since = now;
    if (worker)
        d->occupations[worker].ranks = trial->ranks;
    trial->worker = worker;
}

/* Which workers run a trial of several ranks together. */
static void note_members(struct driver *d, uint64_t id)
{
    unsigned count;
    int *workers = balance_members(d->server, id, &count);
    if (workers)
        journal_group(d->journal, id, driver_time(d), workers, count);
    free(workers);
}

static void write_start(struct driver *d, struct live_trial *trial, unsigned worker)
{
    uint64_t id = trial->id;
    if (trial->begun)
        journal_move(d->journal, id, driver_time(d), worker);
    else if (trial->queued && trial->try == 1)
        journal_start_queued(d->journal, id, driver_time(d), worker, &d->study->space,
                             live_point(&d->live, trial), trial->queued);
    else if (trial->origin && trial->try == 1)
        journal_start_from(d->journal, id, driver_time(d), worker, &d->study->space,
                           live_point(&d->live, trial), trial->origin);
    else
        journal_start(d->journal, id, driver_time(d), worker, trial->try, &d->study->space,
                      trial->try == 1 ? live_point(&d->live, trial) : NULL);
    trial->begun = true;
    trial->since = comm_now(d->comm);
    if (id > d->started)
        d->started = id;
}

/*
 * The first starts stand in the journal in the order of the suggestions. Trials leave the queue in
 * this order, but for those that wait until several workers are free: when one of fewer ranks
 * overtakes them, they are written down as being on their way.
 */
static void given(void *self, uint64_t id, int worker)
{
    struct driver *d = self;
    while (d->started + 1 < id)
        write_start(d, live_find(&d->live, d->started + 1), 0);
    struct live_trial *trial = live_find(&d->live, id);
    driver_occupy(d, trial, (unsigned)worker);
    write_start(d, trial, (unsigned)worker);
    if (trial->ranks > 1)
        note_members(d, id);
    if (!trial->given)
        ahead_given(d);
    trial->given = true;
}

/* ---- workers and servers that die ---- */

static void worker_lost(void *self, int worker)
{
    struct driver *d = self;
    int rank = balance_worker_rank(&d->rules, comm_size(d->comm), worker);
    const char *node = comm_node_name(d->comm, comm_node(d->comm, rank));
    journal_lost(d->journal, driver_time(d), (unsigned)worker, node);
    if (d->observer->lost)
        d->observer->lost(d->observer->self, (unsigned)worker, node);
    if (++d->progress.lost < d->progress.workers || d->failure.code != 0)
        return;
    err_set(&d->failure, ERR_SYSTEM,
            "all workers were lost: what had ended is saved, go on with `wick resume %s`",
            d->options->dir);
    driver_stop(d, END_BROKEN, true);
}

/* Nobody can be told to stop any more: what ended is in the journal, and that is all. */
static void server_lost(void *self, int rank)
{
    struct driver *d = self;
    err_set(&d->failure, ERR_SYSTEM,
            "the server on rank %d (node %s) was lost: what had ended is saved, go on with `wick "
            "resume %s`",
            rank, comm_node_name(d->comm, comm_node(d->comm, rank)), d->options->dir);
    d->progress.end = END_BROKEN;
    comm_stop(d->comm);
}

/* ---- progress ---- */

/* Seconds at work in the runs before this one. */
static double spent_before(const struct driver *d)
{
    return d->options->journal ? d->options->journal->spent : 0;
}

static double time_left(const struct driver *d)
{
    const struct run_progress *p = &d->progress;
    struct standing_pace pace = {.total = p->budget,
                                 .ended = p->ended,
                                 .rate = p->rate,
                                 .limit = d->options->time,
                                 .spent = spent_before(d) + p->elapsed};
    return standing_time_left(&pace);
}

static double rate(const struct driver *d)
{
    const struct run_progress *p = &d->progress;
    return p->elapsed > 0 ? (double)(p->ended - p->before) / p->elapsed : 0;
}

static void measure(struct driver *d)
{
    struct run_progress *p = &d->progress;
    double now = comm_now(d->comm), busy = d->busy;
    p->running = 0;
    for (unsigned worker = 1; worker <= p->workers; worker++) {
        const struct occupation *occupation = &d->occupations[worker];
        p->running += occupation->tasks > 0;
        busy += occupation->tasks > 0 ? (now - occupation->since) * occupation->ranks : 0;
    }
    p->elapsed = now - d->began;
    p->rate = rate(d);
    p->busy = p->elapsed > 0 ? fmin(1, busy / (p->elapsed * p->workers)) : 0;
    p->left = time_left(d);
}

static void tick(void *self)
{
    struct driver *d = self;
    measure(d);
    d->observer->progress(d->observer->self, &d->progress);
    comm_after(d->comm, d->observer->interval, tick, d);
}

/* ---- the actor ---- */

static void finished(void *self, size_t left)
{
    struct driver *d = self;
    (void)left; /* all trials are of one type, which every worker takes */
    measure(d);
    d->ended = driver_time(d);
    comm_stop(d->comm);
}

static void set_timers(struct driver *d)
{
    const struct run_options *options = d->options;
    if (options->time > 0) {
        double left = options->time - spent_before(d);
        d->no_new = left <= 0;
        if (left > 0)
            comm_after(d->comm, left, time_is_up, d);
    }
    notice_begin(d);
    if (options->requests >= 0 && d->observer->asked)
        comm_watch(d->comm, options->requests, user_asked, d);
    if (d->observer->progress)
        comm_after(d->comm, d->observer->interval, tick, d);
    comm_watch(d->comm, journal_descriptor(d->journal), driver_journal_moved, d);
    queued_begin(d);
}

/* For people who ask where a trial runs; of one node the line before says it. */
static void note_seats(struct driver *d)
{
    unsigned workers = d->progress.workers, nodes = d->progress.nodes;
    if (nodes < 2)
        return;
    const char **names = memory_new(workers + 1, sizeof *names);
    for (unsigned i = 0; i < workers; i++) {
        int rank = balance_worker_rank(&d->rules, comm_size(d->comm), (int)i + 1);
        names[i] = comm_node_name(d->comm, comm_node(d->comm, rank));
    }
    journal_seated(d->journal, driver_time(d), nodes, names, workers);
    free(names);
}

static void start(void *self, struct comm *comm)
{
    struct driver *d = self;
    struct balance_owner owner = {.self = d,
                                  .wanted = wanted,
                                  .given = given,
                                  .ended = driver_ended,
                                  .noted = driver_noted,
                                  .worker_lost = worker_lost,
                                  .server_lost = server_lost,
                                  .finished = finished};
    d->comm = comm;
    d->began = comm_now(comm);
    d->offset = journal_began(d->journal) - d->began;
    d->progress.servers = (unsigned)balance_servers(&d->rules, comm_size(comm));
    d->progress.nodes = (unsigned)comm_nodes(comm);
    d->progress.mpi = d->options->mpi ? comm_mpi_version(comm) : "";
    if (d->options->mpi)
        post_tell(comm, d->study, d->dir, &d->rules);
    d->server = balance_create(comm, &d->rules, &owner);
    journal_opened(d->journal, driver_time(d), d->progress.workers, d->options->trials,
                   d->options->time);
    note_seats(d);
    set_timers(d);
    if (d->observer->begun)
        d->observer->begun(d->observer->self, &d->progress);
    if (d->steer)
        steer_begin(d->steer, comm, d->progress.ended);
}

/* A rank cannot do its part, and would leave holes: the study is stopped, with its reason. */
static void rank_failed(struct driver *d, const struct comm_message *m)
{
    if (d->failure.code != 0)
        return;
    memcpy(&d->failure, m->bytes, sizeof d->failure);
    driver_stop(d, END_BROKEN, true);
}

static void message(void *self, const struct comm_message *m)
{
    struct driver *d = self;
    if (m->type == POST_FAILED)
        rank_failed(d, m);
    else
        balance_message(d->server, m);
    driver_finish_if_over(d);
}

struct comm_actor driver_actor(struct driver *d)
{
    return (struct comm_actor){d, start, message};
}

/* Threads live and die together: one server is enough for them, and nobody is watched. */
struct balance_rules driver_rules(const struct study *study, const struct run_options *options,
                                  unsigned workers)
{
    struct balance_rules rules = options->rules;
    if (study_steers(study) || search_learns(study->search.algorithm) || study->search.batch > 0)
        rules.batch = 1; /* a worker that takes several has them without what the first showed */
    if (!options->mpi && rules.servers == 0)
        rules.servers = 1;
    if (!options->mpi && rules.servers > (int)workers)
        rules.servers = (int)workers; /* each has a worker at least */
    if (!options->mpi && !options->world)
        rules.lost_after = 0;
    return rules;
}

int driver_create(struct driver *d, const struct study *study, const struct run_options *options,
                  const struct run_observer *observer, struct journal_writer *journal,
                  const char *dir, unsigned workers, struct err *e)
{
    *d = (struct driver){.study = study,
                         .options = options,
                         .rules = driver_rules(study, options, workers),
                         .dir = dir,
                         .observer = observer,
                         .journal = journal,
                         .progress = {.workers = workers, .best_score = NAN, .left = NAN}};
    d->settings = study->search;
    d->settings.trials = options->trials;
    if (!study->search.reproducible) /* else it must not matter how many there are */
        d->settings.workers = workers;
    d->search = search_create(&d->settings, &study->space);
    if (options->deadline > 0 || options->notice > 0)
        d->forecast = forecast_create(&study->space, study->search.seed);
    d->learns = search_learns(d->settings.algorithm) || d->settings.batch > 0;
    d->progress.choice = search_choice(d->search);
    if (study->stop.name)
        d->stop = stop_create(&study->stop, study->model.maximize);
    live_init(&d->live, study->space.count);
    promote_init(d);
    best_init(&d->best, study_objectives(study), study->search.maximize, 0, d->stop != NULL);
    inbox_queue_open(&d->queue, dir, &study->space);
    d->point = memory_new(study->space.count, sizeof *d->point);
    d->occupations = memory_new(workers + 1, sizeof *d->occupations);
    d->progress.budget = standing_total(options->trials, d->search);
    int failed = options->journal
                     ? driver_replay(d, options->journal, e)
                     : earlier_begin(options->earlier, &study->space, d->search, journal, dir, e);
    d->started = search_asked(d->search);
    return failed ? failed : checkpoints_begin(d, e);
}

void driver_end(struct driver *d)
{
    driver_publish(d, UINT64_MAX);
    d->progress.rate = rate(d);
    d->progress.running = 0;
    if (d->observer->progress)
        d->observer->progress(d->observer->self, &d->progress);
}

void driver_free(struct driver *d)
{
    for (; d->news_next < d->news_count; d->news_next++)
        arena_free(&d->news[d->news_next].arena);
    if (d->server)
        balance_free(d->server);
    steer_free(d->steer);
    checkpoints_end(d);
    promote_free(d);
    search_free(d->search);
    stop_free(d->stop);
    live_free(&d->live);
    forecast_free(d->forecast);
    best_free(&d->best);
    inbox_queue_close(&d->queue);
    outcome_free(&d->result);
    str_free(&d->task);
    free(d->point);
    free(d->occupations);
    free(d->again);
    free(d->news);
}
