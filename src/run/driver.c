/*
 * driver.c - the loop of a study: the life of a trial, in the order of this file's handlers.
 *
 *   a worker is idle     driver_wanted() ─▶ driver_put_next() ─▶ next_trial() ─▶ search_ask()
 *   a worker has it      driver_given()  ─▶ write_start()                     start record
 *   it reports steps     driver_noted()  ─▶ note_step() ─▶ stop_report()      step records
 *                                           stop? ─▶ driver_order() tells its worker
 *   it ends              driver_ended()  ─▶ judge_outcome() ─▶ outcome_judge()
 *   it is written down   end_trial()     ─▶ journal_end(), announce()         end record
 *   it is learned from   learn()         ─▶ search_tell(), or it runs again
 *   it is on disk        driver_journal_moved() ─▶ show(): the observer sees it
 *
 * Everything else is in the calls between: balance carries the trial to its worker and the outcome
 * back, and a worker that is idle again starts the next turn. After each event
 * driver_finish_if_over() in phases.c asks whether anything is left to do.
 */
#include "run/driver.h"

#include <math.h>
#include <signal.h>

enum {
    REFUSALS = 20,      /* suggestions that take too long, before the search is asked no more */
    FAILED_LOGS = 1000, /* logs of failed trials that are kept as files, in one run */
    LOSSES = 3,         /* of workers, or by a SIGTERM, before a trial counts as failed */
    PAUSES = 5,         /* for want of room, before the run ends if nothing else runs */
};

/* ---- a worker is idle: which trial is next? ---- */

/*
 * A suggestion that fits into the time that is left: others are asked for instead of those that do
 * not, which wait for a resume. When none of a few does, or there are no others, no more trials are
 * started. A reproducible search has no others: what it suggests must not depend on the time.
 */
static enum search_answer ask_for_one_that_fits(struct driver *d)
{
    struct supply *supply = &d->supply;
    int most = supply->settings.reproducible ? 0 : REFUSALS;
    enum search_answer answer = search_ask(d->search, supply->point);
    for (int i = 0; answer == SEARCH_POINT && !notice_fits(&d->notice, supply->point); i++) {
        supply->refused = true;
        bool withdrawn = i < most && search_refuse(d->search);
        answer = withdrawn ? search_ask(d->search, supply->point) : SEARCH_END;
    }
    if (answer != SEARCH_END || !supply->refused)
        return answer;
    driver_stop(d, END_DEADLINE, false);
    return SEARCH_WAIT;
}

/* A new trial of the search; NULL when there is none now. */
static struct live_trial *suggest(struct driver *d)
{
    struct supply *supply = &d->supply;
    if (standing_trials_left(d->options->trials, search_asked(d->search)) == 0)
        return NULL;
    if (supply->exhausted || supply->time_used)
        return NULL;
    double began = thinking_begin(d);
    enum search_answer answer = ask_for_one_that_fits(d);
    thinking_end(d, began);
    supply->exhausted = answer == SEARCH_END;
    supply->waits = answer == SEARCH_WAIT;
    if (answer != SEARCH_POINT)
        return NULL;
    struct live_trial *trial = live_add(&d->live, search_asked(d->search), 1, supply->point);
    trial->quick = supply->thinking.quick;
    if (d->steer)
        trial->suggestion = steer_assigned(d->steer);
    trial->origin = (uint64_t)(search_origin(d->search) + 1);
    return trial;
}

/* A trial of DIR/queue. */
static struct live_trial *start_queued(struct driver *d)
{
    double *point = d->supply.point;
    uint64_t line = inbox_queue_pop(&d->supply.queue, point);
    search_add(d->search, point);
    struct live_trial *trial = live_add(&d->live, search_asked(d->search), 1, point);
    trial->queued = line;
    trial->quick = d->supply.thinking.quick;
    return trial;
}

/* A paused trial goes on: the search takes back what it learned from its first end. */
static struct live_trial *promote(struct driver *d, uint64_t id)
{
    struct live_trial *trial = promotion_promote(&d->supply.promotion, id, &d->live);
    search_retract(d->search, id - 1);
    d->progress.choice = search_choice(d->search);
    return trial;
}

static const double *point_of(struct driver *d, uint64_t id)
{
    return live_point(&d->live, live_find(&d->live, id));
}

static struct live_trial *run_again(struct driver *d, uint64_t id)
{
    retry_drop(&d->supply.retry);
    return live_find(&d->live, id);
}

/* What starts when the time is used up had started before: a paused trial does not go on. */
static uint64_t next_promotion(const struct driver *d)
{
    bool goes_on = !d->supply.time_used && d->progress.phase == RUN_GOING;
    return goes_on ? promotion_due(&d->supply.promotion) : 0;
}

bool driver_has_waiting(const struct driver *d)
{
    return retry_first(&d->supply.retry) > 0 || next_promotion(d) > 0;
}

/* True when a trial that waits fits into the time that is left; otherwise it waits for a resume. */
static bool fits(struct driver *d, const double *point)
{
    if (notice_fits(&d->notice, point))
        return true;
    driver_stop(d, END_DEADLINE, false);
    return false;
}

/*
 * The next trial to run, in `live`; NULL when there is none now. Those that wait come before new
 * ones: trials that run again, then the user's queue, then paused trials that are due.
 */
static struct live_trial *next_trial(struct driver *d)
{
    struct supply *supply = &d->supply;
    uint64_t again = retry_first(&supply->retry);
    if (again > 0)
        return fits(d, point_of(d, again)) ? run_again(d, again) : NULL;
    const double *queued = supply->time_used ? NULL : inbox_queue_next(&supply->queue);
    if (queued)
        return fits(d, queued) ? start_queued(d) : NULL;
    uint64_t paused = next_promotion(d);
    if (paused > 0)
        return fits(d, promotion_point(&supply->promotion, paused)) ? promote(d, paused) : NULL;
    return suggest(d);
}

unsigned driver_put_next(struct driver *d)
{
    bool holds = d->supply.suspicion.holds || d->supply.scarcity.holds;
    bool starts = d->progress.phase == RUN_GOING && !holds;
    struct live_trial *trial = starts ? next_trial(d) : NULL;
    if (!trial)
        return 0;
    struct str *bytes = &d->supply.task;
    unsigned ranks = study_ranks(d->study, live_point(&d->live, trial));
    trial->ranks = ranks;
    struct trial_task try = {.try = trial->try,
                             .point = live_point(&d->live, trial),
                             .origin = trial->origin,
                             .step = trial->step};
    str_clear(bytes);
    worker_put_task(bytes, &try, d->live.width);
    struct balance_task task = {
        .id = trial->id, .bytes = bytes->text, .length = bytes->length, .workers = ranks};
    d->ahead.waiting++;
    balance_put(d->server, &task);
    return ranks;
}

void driver_wanted(void *self, size_t count)
{
    struct driver *d = self;
    if (d->steer)
        steer_wanted(d->steer, count);
    else if (d->supply.learns && !d->supply.thinking.quick)
        ahead_wanted(d, count);
    else
        for (size_t put = 0, ranks; put < count && (ranks = driver_put_next(d)) > 0; put += ranks)
            ;
}

/* An idle worker asks only once, so a trial that is promoted later must be put for it. */
void driver_serve_idle(struct driver *d)
{
    if (d->progress.phase != RUN_GOING)
        return;
    size_t idle = 0;
    if (next_promotion(d) > 0)
        idle = workload_idle(&d->workload);
    while (idle > d->ahead.waiting && next_promotion(d) > 0 && driver_put_next(d))
        d->ahead.shortage -=
            d->ahead.shortage > 0; /* the worker that gets it need not get another one */
}

/* ---- a worker has the trial ---- */

/* Which workers run a trial of several ranks together. */
static void note_team(struct driver *d, uint64_t id)
{
    unsigned count;
    int *workers = balance_members(d->server, id, &count);
    if (workers)
        journal_team(d->journal, id, driver_time(d), workers, count);
    free(workers);
}

/* Changes to and from quick suggestions stand before the first trial that they hold for. */
static void note_pace(struct driver *d, const struct live_trial *trial)
{
    struct thinking *thinking = &d->supply.thinking;
    if (trial->quick == thinking->recorded || trial->id <= d->supply.started)
        return;
    journal_pace(d->journal, trial->id, driver_time(d), trial->quick, thinking->cost);
    thinking->recorded = trial->quick;
}

static void write_start(struct driver *d, struct live_trial *trial, unsigned worker)
{
    uint64_t id = trial->id;
    note_pace(d, trial);
    const double *point = live_point(&d->live, trial);
    if (trial->recorded)
        journal_move(d->journal, id, driver_time(d), worker);
    else if (trial->queued && trial->try == 1)
        journal_start_queued(d->journal, id, driver_time(d), worker, &d->study->space, point,
                             trial->queued);
    else if (trial->origin && trial->try == 1)
        journal_start_from(d->journal, id, driver_time(d), worker, &d->study->space, point,
                           trial->origin);
    else
        journal_start(d->journal, id, driver_time(d), worker, trial->try, &d->study->space,
                      trial->try == 1 ? point : NULL);
    trial->recorded = true;
    trial->since = comm_now(d->comm);
    if (id > d->supply.started)
        d->supply.started = id;
}

/*
 * The first starts stand in the journal in the order of the suggestions. Trials
 * are handed out in this order, but for those that wait until several workers are free: when one of
 * fewer ranks overtakes them, they are written down as being on their way.
 */
void driver_given(void *self, uint64_t id, int worker)
{
    struct driver *d = self;
    while (d->supply.started + 1 < id)
        write_start(d, live_find(&d->live, d->supply.started + 1), 0);
    struct live_trial *trial = live_find(&d->live, id);
    workload_move(&d->workload, trial, (unsigned)worker, comm_now(d->comm));
    write_start(d, trial, (unsigned)worker);
    if (trial->ranks > 1)
        note_team(d, id);
    if (!trial->given)
        ahead_given(d);
    trial->given = true;
}

/* ---- the trial reports steps ----
 *
 * Steps come on the way of the trial's outcome and before it, so no step comes after the end. The
 * stopper's answer goes straight to the worker. When the trial ends before it arrives, or its
 * worker is lost, nothing is wrong: if it has a score it is done; in all other cases (also when it
 * crashes) it is stopped with its last value, and does not run again, since it would be told to
 * stop at the same step. Unless it is paused: see promotion.h.
 */

void driver_order(struct driver *d, const struct live_trial *trial, int worker, int order)
{
    struct worker_order message = {trial->id, trial->try};
    int rank = balance_worker_rank(&d->rules, comm_size(d->comm), worker);
    comm_send(d->comm, rank, order, &message, sizeof message);
}

static void note_step(struct driver *d, int worker, const struct worker_step *report)
{
    struct live_trial *trial = live_look(&d->live, report->id);
    if (!trial || trial->try != report->try || !trial->recorded)
        return; /* a late message of a worker that Wick gave up on: the trial runs elsewhere */
    const struct outcome_step *step = &report->step;
    journal_step(d->journal, trial->id, report->time + d->clock.offset, trial->try, step);
    if (step->unscored)
        return;
    trial->last_value = step->value;
    trial->last_step = step->step;
    if (!d->stop || stop_report(d->stop, trial->id, step->step, step->value) != STOP_NOW ||
        trial->stop_step)
        return; /* later answers are the same, and its worker knows */
    trial->stop_step = step->step;
    driver_order(d, trial, worker, WORKER_STOP);
}

void driver_noted(void *self, int worker, const unsigned char *bytes, size_t length)
{
    struct worker_step report;
    struct outcome_metric metrics[OUTCOME_METRICS];
    for (size_t at = 0; worker_next_step(bytes, length, &at, &report, metrics);)
        note_step(self, worker, &report);
}

/* ---- the trial has ended: how? ---- */

/* Interrupted because the target was reached: it is not wanted any more. */
static void mark_unwanted(const struct driver *d, struct outcome *outcome)
{
    if (outcome->state != OUTCOME_INTERRUPTED || d->progress.end != END_TARGET ||
        d->progress.phase != RUN_STOPPING)
        return;
    outcome->state = OUTCOME_STOPPED;
    snprintf(outcome->reason, sizeof outcome->reason, "stopped: the target was reached");
}

/* A trial that was told to stop is stopped, however it ended, unless it was done before. */
static void mark_stopped(const struct driver *d, const struct live_trial *trial,
                         struct outcome *outcome)
{
    if (!trial->stop_step || outcome->state == OUTCOME_DONE)
        return;
    outcome->state = OUTCOME_STOPPED;
    outcome->score = trial->last_value;
    snprintf(outcome->reason, sizeof outcome->reason, "stopped by %s at step %llu",
             stop_name(d->stop), (unsigned long long)trial->stop_step);
}

/*
 * A SIGTERM that is not Wick's: a scheduler that takes a job's machines away sends it to all of its
 * processes at once, and trials are dead before the driver has heard of it. That is no failure, and
 * they run again: unless that is how this trial ends each time.
 */
static void mark_terminated(struct live_trial *trial, struct outcome *outcome)
{
    bool terminated = outcome->signal == SIGTERM || outcome->exit_code == 128 + SIGTERM;
    if (outcome->state != OUTCOME_FAILED || !terminated || ++trial->losses >= LOSSES)
        return;
    outcome->state = OUTCOME_INTERRUPTED;
    snprintf(outcome->reason, sizeof outcome->reason, "ended by a SIGTERM from outside");
}

/*
 * An interruption that nobody asked for: the helper is gone, the disk or memory is full, or a
 * language host cannot import; then its last words are in the log.
 */
static void check_interruption(struct driver *d, const struct live_trial *trial)
{
    const struct outcome *outcome = &d->outcome;
    if (outcome->state != OUTCOME_INTERRUPTED || d->progress.phase == RUN_STOPPING ||
        trial->leaving || d->failure.code != 0)
        return;
    struct slice words = slice_last_line((struct slice){outcome->log.text, outcome->log.length});
    err_set(&d->failure, ERR_SYSTEM,
            "%s%s%.*s: the study was stopped; continue with `wick resume %s`", outcome->reason,
            words.length > 0 ? ": " : "",
            (int)(words.length < RUN_LAST_LINE ? words.length : RUN_LAST_LINE),
            words.length > 0 ? words.text : "", d->options->dir);
    driver_stop(d, END_BROKEN, true);
}

/* ---- its outcome is learned from, or it runs again ---- */

static void tell_search(struct driver *d, uint64_t id, const struct outcome *outcome)
{
    struct search_result result = {.good = outcome_scored(outcome),
                                   .stopped = outcome->state == OUTCOME_STOPPED,
                                   .scores = {outcome->score},
                                   .violation = outcome->violation};
    memcpy(result.scores, outcome->scores, outcome->score_count * sizeof *result.scores);
    search_tell(d->search, id - 1, &result);
}

/* What the end of a trial says about all others. */
static void note_failure(struct suspicion *suspicion, uint64_t id, const struct outcome *outcome)
{
    struct failure failure = {
        .trial = id,
        .state = outcome->state,
        .reason = outcome->reason,
        .last_line = slice_last_line((struct slice){outcome->log.text, outcome->log.length}),
        .took = outcome->ended - outcome->started};
    failures_add(&suspicion->failures, &failure);
}

/* The trial is over, or paused. */
static void learn(struct driver *d, struct live_trial *trial, const struct outcome *outcome)
{
    uint64_t id = trial->id;
    tell_search(d, id, outcome);
    d->supply.thinking.results++;
    d->supply.suspicion.cleared |= outcome_scored(outcome);
    if (outcome_state_failed(outcome->state) && !d->supply.suspicion.cleared)
        note_failure(&d->supply.suspicion, id, outcome);
    if (d->steer) {
        struct steer_trial told = {id, trial->suggestion, live_point(&d->live, trial)};
        steer_told(d->steer, &told, outcome);
    }
    if (d->stop && !outcome->paused)
        stop_ended(d->stop, id, outcome_scored(outcome));
    if (d->retention.keeper && !outcome->paused && !outcome_state_failed(outcome->state))
        retention_ended(&d->retention, id);
    live_remove(&d->live, id);
}

/* True when an ended trial is to run again: a retry, or what Wick itself interrupted. */
static bool runs_again(const struct driver *d, struct live_trial *trial,
                       const struct outcome *outcome)
{
    if (outcome->state == OUTCOME_INTERRUPTED)
        return true;
    return outcome_state_failed(outcome->state) && trial->failures++ < d->study->model.retries;
}

static void try_again(struct driver *d, struct live_trial *trial)
{
    trial->try++;
    trial->recorded = trial->given = false;
    trial->stop_step = 0;
    retry_add(&d->supply.retry, trial->id);
}

/*
 * True when a trial that was told to stop may go on later. A steering program is told of a trial
 * once: its trials are stopped for good.
 */
static bool pauses(struct driver *d, const struct live_trial *trial, const struct outcome *outcome)
{
    return !d->steer && trial->stop_step && outcome->state == OUTCOME_STOPPED &&
           outcome->can_go_on &&
           promotion_pause(&d->supply.promotion, trial, live_point(&d->live, trial));
}

/* ---- the outcome is written down ---- */

/* True when the outcome is one of the best so far. */
static bool note_best(struct driver *d, uint64_t id, const struct outcome *outcome)
{
    bool whole = outcome->score_count > 0 || d->best.objectives == 1;
    if (!outcome_scored(outcome) || !whole || outcome->violation > 0)
        return false;
    const double *scores = outcome->score_count > 0 ? outcome->scores : &outcome->score;
    return best_add(&d->best, id, scores, NULL);
}

/* Keeps the log as the study says; an earlier try's must not pass for that of this one. */
static void keep_log(struct driver *d, const struct live_trial *trial,
                     const struct outcome *outcome, bool is_best)
{
    bool failed = outcome_state_failed(outcome->state);
    bool wanted = is_best || trial->looked_at; /* who follows it wants its last lines, too */
    bool keep = d->study->keep == KEEP_ALL || (d->study->keep == KEEP_FAILED && wanted);
    if (outcome->state == OUTCOME_INTERRUPTED)
        keep = false;
    else if (failed && d->study->keep == KEEP_FAILED && d->failed_logs++ < FAILED_LOGS)
        keep = true;
    if (keep && outcome->log.length > 0)
        journal_keep_log(d->journal, trial->id, &outcome->log);
    else if (trial->try > 1)
        journal_keep_log(d->journal, trial->id, NULL);
}

/* What becomes of a trial whose try has ended. */
struct fate {
    bool again;   /* it runs again */
    bool counted; /* it was counted as stopped before, when it was paused */
    bool is_new;  /* it is the best, or new on the front */
    double took;  /* seconds */
};

/* The observer hears of it when its record is on disk. */
static void announce(struct driver *d, const struct live_trial *trial, unsigned worker,
                     const struct outcome *outcome, const struct fate *fate)
{
    struct announcement *item = news_add(&d->news);
    item->record = journal_appended(d->journal);
    item->counted = fate->counted;
    item->best = best_id(&d->best);
    item->best_score = best_score(&d->best);
    item->trial = (struct run_trial){
        .id = trial->id,
        .worker = worker,
        .try = trial->try,
        .state = outcome->state,
        .score = outcome->score,
        .took = fate->took,
        .last_step = trial->last_step,
        .again = fate->again,
        .is_best = fate->is_new && item->best == trial->id,
        .front = d->best.objectives > 1 ? d->best.count : 0,
        .scores = outcome->score_count > 0 ? outcome->scores : NULL,
        .violation = outcome->violation,
        .is_new = fate->is_new,
        .point = fate->is_new || d->observer->all_points ? live_point(&d->live, trial) : NULL,
        .reason = outcome->reason,
        .last_line = "",
        .metrics = outcome->metrics,
        .metric_count = outcome->metric_count,
    };
    news_keep(item, d->live.width, d->best.objectives, &outcome->log);
}

/* Writes down what came of a try, and has it learned from, or the trial run again. */
static void end_trial(struct driver *d, struct live_trial *trial, unsigned worker,
                      struct outcome *outcome)
{
    uint64_t id = trial->id;
    struct fate fate = {.again = runs_again(d, trial, outcome),
                        .took = outcome->ended - outcome->started};
    fate.counted = trial->counted && !fate.again;
    d->supply.waits = false; /* the search may have waited for this */
    workload_move(&d->workload, trial, 0, comm_now(d->comm));
    if (fate.counted)
        best_forget(&d->best, id); /* what it had when it was paused */
    fate.is_new = note_best(d, id, outcome);
    outcome->paused = !fate.again && pauses(d, trial, outcome);
    keep_log(d, trial, outcome, fate.is_new);
    journal_end(d->journal, id, outcome->ended + d->clock.offset, worker, outcome, fate.again);
    announce(d, trial, worker, outcome, &fate);
    d->workload.busy += fate.took * trial->ranks;
    if (!fate.again && !fate.counted)
        workload_ended(&d->workload, worker, trial->ranks, outcome->ended);
    if (outcome->state == OUTCOME_DONE || outcome->state == OUTCOME_INTERRUPTED)
        notice_learn(&d->notice, live_point(&d->live, trial), fate.took,
                     outcome->state == OUTCOME_INTERRUPTED);
    if (fate.again)
        try_again(d, trial);
    else
        learn(d, trial, outcome);
}

/* ---- do all trials fail alike? ----
 *
 * When `halt` trials of this run have failed alike and none has succeeded, the others are likely to
 * fail, too, and the run is halted. But a trial that fails does so early: a thousand workers may
 * report ten failures before the first good trial could possibly end. So nothing more is started
 * until each running trial has ended or has outlived the failures, that is, has run for twice as
 * long as the longest of them, and at least for PATIENCE longer. One that has is no proof, since it
 * may hang, so it excuses only `halt` further failures.
 */

/* The trials that have outlived failures; *wait: seconds until the next one has, or infinity. */
static uint64_t count_survivors(const struct driver *d, double longest, double *wait)
{
    static const double PATIENCE = 30, RESOLUTION = 1e-6; /* seconds */
    double now = comm_now(d->comm), age = longest + fmax(longest, PATIENCE);
    uint64_t survivors = 0;
    *wait = INFINITY;
    for (size_t i = 0; i < d->live.capacity; i++) {
        const struct live_trial *trial = &d->live.slots[i];
        double left = trial->since + age - now;
        if (!trial->id || !trial->recorded)
            continue;
        survivors += left < RESOLUTION;
        if (left >= RESOLUTION)
            *wait = fmin(*wait, left);
    }
    return survivors;
}

/* Balance asks for further trials when it gets one, but a steering program has to be asked. */
static void start_again(struct driver *d)
{
    if (d->steer)
        steer_wanted(d->steer, workload_idle(&d->workload));
    else
        driver_put_next(d);
}

static void look_at_failures(void *self)
{
    struct driver *d = self;
    struct suspicion *suspicion = &d->supply.suspicion;
    uint64_t halt = suspicion->cleared || d->progress.phase != RUN_GOING ? 0 : d->study->halt;
    const struct failures_kind *most = halt > 0 ? failures_most(&suspicion->failures) : NULL;
    bool held = suspicion->holds, suspect = most && most->count >= halt;
    double wait = INFINITY;
    if (suspect)
        suspect = most->count / halt > count_survivors(d, most->longest, &wait);
    comm_cancel(d->comm, suspicion->timer);
    suspicion->holds = suspect && isfinite(wait);
    d->progress.suspects = suspicion->holds ? most->count : 0;
    suspicion->timer = suspicion->holds ? comm_after(d->comm, wait, look_at_failures, d) : 0;
    if (suspect && !suspicion->holds) {
        d->progress.alike = most->count;
        d->progress.alike_example = most->trial;
        driver_stop(d, END_HALTED, true);
    } else if (held && !suspicion->holds) {
        start_again(d);
    }
}

/* ---- is there room for a trial? ----
 *
 * When a trial cannot be started because other processes of the user take all that there may be of
 * something (processes, descriptors, memory), it runs again. Nothing is started until another trial
 * has ended, which may give it back, or until a pause is over; pauses grow. When nothing else runs
 * and some seconds have not helped, the run ends.
 */

static void end_pause(struct driver *d)
{
    struct scarcity *scarcity = &d->supply.scarcity;
    comm_cancel(d->comm, scarcity->timer);
    scarcity->timer = 0;
    scarcity->holds = false;
    start_again(d);
}

static void pause_is_over(void *self)
{
    end_pause(self);
    driver_finish_if_over(self);
}

/* True when a trial that found no room runs again later. */
static bool waits_for_room(struct driver *d, const struct live_trial *trial)
{
    static const double FIRST = 0.1, LONGEST = 30; /* seconds */
    struct scarcity *scarcity = &d->supply.scarcity;
    size_t busy = d->progress.workers - workload_idle(&d->workload);
    if (d->progress.phase != RUN_GOING)
        return true;
    if (scarcity->pauses >= PAUSES && busy <= trial->ranks)
        return false;
    if (scarcity->holds)
        return true;
    double pause = fmin(LONGEST, ldexp(FIRST, (int)scarcity->pauses++));
    scarcity->holds = true;
    scarcity->timer = comm_after(d->comm, pause, pause_is_over, d);
    return true;
}

/* A trial that had found room has ended. */
static void make_room(struct driver *d)
{
    d->supply.scarcity.pauses = 0;
    if (d->supply.scarcity.holds)
        end_pause(d);
}

/* ---- the handler of all this ---- */

static void judge_outcome(struct driver *d, struct live_trial *trial, unsigned worker,
                          const unsigned char *bytes, size_t length)
{
    struct outcome *outcome = &d->outcome;
    outcome_unpack(outcome, bytes, length);
    if (!outcome->no_room || !waits_for_room(d, trial))
        check_interruption(d, trial);
    mark_terminated(trial, outcome);
    mark_stopped(d, trial, outcome);
    outcome_judge(d->study, live_point(&d->live, trial), outcome);
    mark_unwanted(d, outcome);
    bool left = trial->leaving && outcome->state == OUTCOME_INTERRUPTED;
    end_trial(d, trial, worker, outcome);
    if (left) /* the next run goes on with it, and starts what would be told the same here */
        driver_stop(d, END_DEADLINE, false);
    if (outcome_scored(outcome) && outcome->violation <= 0 &&
        standing_reaches_target(d->study, outcome->score))
        driver_stop(d, END_TARGET, true);
}

/*
 * A task that no worker has comes back, because the run is ending: it waits for a resume. When the
 * journal does not know this start, nothing of it may stand there.
 */
static void withdraw_trial(struct driver *d, struct live_trial *trial)
{
    if (!trial->recorded)
        return;
    struct outcome outcome = outcome_not_started(comm_now(d->comm));
    mark_unwanted(d, &outcome);
    end_trial(d, trial, trial->worker, &outcome);
}

/*
 * A trial's worker died. It runs again elsewhere, and that does not count as a failure: unless it
 * is the trial that takes the workers with it.
 */
static void lose_trial(struct driver *d, struct live_trial *trial, unsigned worker)
{
    struct outcome outcome = outcome_not_started(comm_now(d->comm));
    if (++trial->losses >= LOSSES) {
        outcome.state = OUTCOME_FAILED;
        snprintf(outcome.reason, sizeof outcome.reason, "%u workers were lost while they ran it",
                 trial->losses);
    } else if (trial->ranks > 1) {
        snprintf(outcome.reason, sizeof outcome.reason, "one of its %u workers was lost",
                 trial->ranks);
    } else {
        snprintf(outcome.reason, sizeof outcome.reason, "worker %u was lost", worker);
    }
    mark_stopped(d, trial, &outcome);
    outcome_judge(d->study, live_point(&d->live, trial), &outcome);
    end_trial(d, trial, worker, &outcome);
}

/* So many workers died that too few are left for it: it waits for a resume. */
static void refuse_trial(struct driver *d, struct live_trial *trial)
{
    if (d->failure.code == 0)
        err_set(&d->failure, ERR_SYSTEM,
                "a trial of %u ranks needs %u workers, but only %u of %u are left: continue with "
                "more workers: `wick resume %s`",
                trial->ranks, trial->ranks, d->progress.workers - d->progress.lost,
                d->progress.workers, d->options->dir);
    withdraw_trial(d, trial);
    driver_stop(d, END_BROKEN, false);
}

void driver_ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct driver *d = self;
    struct live_trial *trial = live_find(&d->live, id);
    if (outcome == BALANCE_DONE)
        judge_outcome(d, trial, (unsigned)worker, bytes, length);
    else if (outcome == BALANCE_LOST)
        lose_trial(d, trial, (unsigned)worker);
    else if (outcome == BALANCE_REFUSED)
        refuse_trial(d, trial);
    else
        withdraw_trial(d, trial);
    if (outcome != BALANCE_DONE || !d->outcome.no_room)
        make_room(d);
    if (!d->supply.suspicion.cleared || d->supply.suspicion.holds)
        look_at_failures(d);
    if (outcome != BALANCE_DONE) /* it may come without a message, when Wick gives up on a worker */
        driver_finish_if_over(d);
}

/* ---- its record is on disk: the observer sees it ---- */

static void show(void *self, const struct announcement *item)
{
    struct driver *d = self;
    const struct run_trial *trial = &item->trial;
    struct run_progress *progress = &d->progress;
    if (!trial->again) {
        progress->ended += !item->counted;
        progress->stopped -= item->counted;
        progress->failed += outcome_state_failed(trial->state);
        progress->stopped += trial->state == OUTCOME_STOPPED;
    }
    progress->front = trial->front;
    progress->best = item->best;
    progress->best_score = item->best_score;
    if (d->observer->ended)
        d->observer->ended(d->observer->self, trial);
}

void driver_publish(struct driver *d, uint64_t record)
{
    news_publish(&d->news, record, show, d);
    if (news_is_empty(&d->news))
        retention_settle(&d->retention);
}

void driver_journal_moved(void *self)
{
    struct driver *d = self;
    driver_publish(d, journal_synced(d->journal));
    if (d->failure.code == 0 && journal_failed(d->journal, &d->failure))
        driver_stop(d, END_BROKEN, true);
}
