/*
 * results.c - what comes of a trial: into the journal, to the search, and to the observer.
 *
 * A result is first appended to the journal and told to the search; the observer hears of it when
 * the journal says that the line is on disk.
 */
#include "run/driver.h"

#include <math.h>
#include <signal.h>

enum { FAILED_LOGS = 1000 }; /* outputs of failed trials that are kept as files, in one run */
enum { LOSSES = 3 };         /* of workers, or by a SIGTERM, before a trial counts as failed */

/* ---- news for the observer ---- */

/* Queues the news of a trial until it is on disk, with copies of all that it points to. */
static void announce(struct driver *d, const struct run_trial *trial, const struct str *log,
                     bool counted)
{
    d->news = memory_grow(d->news, &d->news_capacity, d->news_count + 1, sizeof *d->news);
    struct announcement *news = &d->news[d->news_count++];
    *news = (struct announcement){.line = journal_appended(d->journal),
                                  .trial = *trial,
                                  .counted = counted,
                                  .best = best_id(&d->best),
                                  .best_score = best_score(&d->best)};
    if (trial->point) {
        size_t size = d->live.width * sizeof *trial->point;
        news->trial.point = memcpy(arena_new(&news->arena, 1, size), trial->point, size);
    }
    if (trial->scores) {
        size_t size = study_objectives(d->study) * sizeof *trial->scores;
        news->trial.scores = memcpy(arena_new(&news->arena, 1, size), trial->scores, size);
    }
    if (trial->metric_count > 0) {
        size_t size = trial->metric_count * sizeof *trial->metrics;
        news->trial.metrics = memcpy(arena_new(&news->arena, 1, size), trial->metrics, size);
    }
    news->trial.reason = "";
    news->trial.last_line = "";
    if (trial->reason[0]) {
        struct slice line = slice_last_line((struct slice){log->text, log->length});
        size_t length = line.length < RUN_LAST_LINE ? line.length : RUN_LAST_LINE;
        news->trial.reason = arena_copy(&news->arena, trial->reason, strlen(trial->reason));
        news->trial.last_line = arena_copy(&news->arena, line.text, length);
    }
}

static void publish(struct driver *d, struct announcement *news)
{
    struct run_trial *trial = &news->trial;
    struct run_progress *progress = &d->progress;
    if (!trial->again) {
        progress->ended += !news->counted;
        progress->stopped -= news->counted;
        progress->failed += outcome_state_failed(trial->state);
        progress->stopped += trial->state == OUTCOME_STOPPED;
    }
    progress->front = trial->front;
    progress->best = news->best;
    progress->best_score = news->best_score;
    if (d->observer->ended)
        d->observer->ended(d->observer->self, trial);
    arena_free(&news->arena);
}

void driver_publish(struct driver *d, uint64_t line)
{
    while (d->news_next < d->news_count && d->news[d->news_next].line <= line)
        publish(d, &d->news[d->news_next++]);
    if (2 * d->news_next > d->news_count) { /* the queue has moved on: give the room back */
        d->news_count -= d->news_next;
        memmove(d->news, d->news + d->news_next, d->news_count * sizeof *d->news);
        d->news_next = 0;
    }
    if (d->news_count == 0)
        checkpoints_settle(d);
}

void driver_journal_moved(void *self)
{
    struct driver *d = self;
    driver_publish(d, journal_synced(d->journal));
    if (d->failure.code == 0 && journal_failed(d->journal, &d->failure))
        driver_stop(d, END_BROKEN, true);
}

/* Keeps the output as the study says; an earlier try's must not pass for that of this one. */
static void keep_log(struct driver *d, const struct live_trial *trial, const struct outcome *result,
                     bool is_best)
{
    bool failed = outcome_state_failed(result->state);
    bool keep = d->study->keep == KEEP_ALL || (d->study->keep == KEEP_FAILED && is_best);
    if (result->state == OUTCOME_INTERRUPTED)
        keep = false;
    else if (failed && d->study->keep == KEEP_FAILED && d->failed_logs++ < FAILED_LOGS)
        keep = true;
    if (keep && result->log.length > 0)
        journal_keep_log(d->journal, trial->id, &result->log);
    else if (trial->try > 1)
        journal_keep_log(d->journal, trial->id, NULL);
}

/* True when an ended trial is to run again: a retry, or what Wick itself interrupted. */
static bool runs_again(const struct driver *d, struct live_trial *trial,
                       const struct outcome *result)
{
    if (result->state == OUTCOME_INTERRUPTED)
        return true;
    return outcome_state_failed(result->state) && trial->failures++ < d->study->model.retries;
}

/* One that was stopped early counts with its last value. */
static bool has_score(const struct outcome *result)
{
    return (result->state == OUTCOME_DONE || result->state == OUTCOME_STOPPED) &&
           isfinite(result->score);
}

/* True when the result is one of the best so far. */
static bool note_best(struct driver *d, const struct live_trial *trial,
                      const struct outcome *result)
{
    bool whole = result->score_count > 0 || study_objectives(d->study) == 1;
    if (!has_score(result) || !whole || result->violation > 0)
        return false;
    const double *scores = result->score_count > 0 ? result->scores : &result->score;
    return best_add(&d->best, trial->id, scores, NULL);
}

static void tell(struct driver *d, uint64_t id, const struct outcome *result)
{
    struct search_result told = {.good = has_score(result),
                                 .stopped = result->state == OUTCOME_STOPPED,
                                 .scores = {result->score},
                                 .violation = result->violation};
    memcpy(told.scores, result->scores, result->score_count * sizeof *told.scores);
    search_tell(d->search, id - 1, &told);
}

static void run_again(struct driver *d, struct live_trial *trial)
{
    trial->try++;
    trial->begun = trial->given = false;
    trial->stop_step = 0;
    driver_again(d, trial->id);
}

/* It is over, or paused. */
static void finish(struct driver *d, struct live_trial *trial, const struct outcome *result)
{
    uint64_t id = trial->id;
    bool good = has_score(result);
    tell(d, id, result);
    if (d->steer)
        steer_told(d->steer,
                   &(struct steer_trial){id, trial->suggestion, live_point(&d->live, trial)},
                   result);
    if (d->stop && !result->paused)
        stop_ended(d->stop, id, good);
    if (d->keeper && !result->paused && !outcome_state_failed(result->state))
        checkpoints_ended(d, id);
    live_remove(&d->live, id);
}

/* Writes down and tells what came of a trial, and has it run again where it is to. */
static void end_trial(struct driver *d, struct live_trial *trial, unsigned worker,
                      struct outcome *result)
{
    uint64_t id = trial->id;
    d->waits = false; /* it may have waited for this */
    driver_occupy(d, trial, 0);
    bool again = runs_again(d, trial, result), counted = trial->counted && !again;
    if (counted)
        best_forget(&d->best, id); /* what it had when it was paused */
    bool is_new = note_best(d, trial, result);
    result->paused = !again && promote_pause(d, trial, result);
    struct run_trial news = {
        .id = id,
        .worker = worker,
        .try = trial->try,
        .state = result->state,
        .score = result->score,
        .took = result->ended - result->started,
        .last_step = trial->last_step,
        .again = again,
        .is_best = is_new && best_id(&d->best) == id,
        .front = d->best.objectives > 1 ? d->best.count : 0,
        .scores = result->score_count > 0 ? result->scores : NULL,
        .violation = result->violation,
        .point = is_new ? live_point(&d->live, trial) : NULL,
        .reason = result->reason,
        .metrics = result->metrics,
        .metric_count = result->metric_count,
    };
    keep_log(d, trial, result, is_new);
    journal_end(d->journal, id, result->ended + d->offset, worker, result, again);
    announce(d, &news, &result->log, counted);
    d->busy += news.took * trial->ranks;
    if (result->state == OUTCOME_DONE)
        driver_note_duration(d, live_point(&d->live, trial), news.took);
    else if (result->state == OUTCOME_INTERRUPTED)
        driver_note_duration(d, live_point(&d->live, trial), CUT_OFF * news.took);
    if (again)
        run_again(d, trial);
    else
        finish(d, trial, result);
}

/* Interrupted because the target was reached: it is not wanted any more. */
static void mark_unwanted(const struct driver *d, struct outcome *result)
{
    if (result->state != OUTCOME_INTERRUPTED || d->progress.end != END_TARGET ||
        d->progress.phase != RUN_STOPPING)
        return;
    result->state = OUTCOME_STOPPED;
    snprintf(result->reason, sizeof result->reason, "stopped: the target was reached");
}

/*
 * A task that no worker has comes back, because the run is ending: it waits for a resume. When the
 * journal does not know this start, nothing of it may stand there.
 */
static void took_back(struct driver *d, struct live_trial *trial)
{
    if (!trial->begun)
        return;
    struct outcome result = outcome_not_started(comm_now(d->comm));
    mark_unwanted(d, &result);
    end_trial(d, trial, trial->worker, &result);
}

/*
 * A trial's worker died. It runs again elsewhere, and that does not count as a failure: unless it
 * is the trial that takes the workers with it.
 */
static void lost_trial(struct driver *d, struct live_trial *trial, unsigned worker)
{
    struct outcome result = outcome_not_started(comm_now(d->comm));
    if (++trial->losses >= LOSSES) {
        result.state = OUTCOME_FAILED;
        snprintf(result.reason, sizeof result.reason, "%u workers were lost while they ran it",
                 trial->losses);
    } else if (trial->ranks > 1) {
        snprintf(result.reason, sizeof result.reason, "one of its %u workers was lost",
                 trial->ranks);
    } else {
        snprintf(result.reason, sizeof result.reason, "worker %u was lost", worker);
    }
    driver_mark_stopped(d, trial, &result);
    outcome_judge(d->study, live_point(&d->live, trial), &result);
    end_trial(d, trial, worker, &result);
}

/* So many workers died that those that are left are too few for it: it waits for a resume. */
static void refuse_trial(struct driver *d, struct live_trial *trial)
{
    if (d->failure.code == 0)
        err_set(&d->failure, ERR_SYSTEM,
                "a trial of %u ranks needs as many workers, and %u of %u are left: go on with more "
                "of them by `wick resume %s`",
                trial->ranks, d->progress.workers - d->progress.lost, d->progress.workers,
                d->options->dir);
    took_back(d, trial);
    driver_stop(d, END_BROKEN, false);
}

/*
 * An interruption that nobody asked for: the helper is gone, the machine has no room, or a language
 * host cannot import, whose last words are in the log.
 */
static void check_interruption(struct driver *d, const struct live_trial *trial)
{
    if (d->result.state != OUTCOME_INTERRUPTED || d->progress.phase == RUN_STOPPING ||
        trial->leaving || d->failure.code != 0)
        return;
    struct slice words = slice_last_line((struct slice){d->result.log.text, d->result.log.length});
    err_set(&d->failure, ERR_SYSTEM, "%s%s%.*s: the study was stopped, go on with `wick resume %s`",
            d->result.reason, words.length > 0 ? ": " : "",
            (int)(words.length < RUN_LAST_LINE ? words.length : RUN_LAST_LINE),
            words.length > 0 ? words.text : "", d->options->dir);
    driver_stop(d, END_BROKEN, true);
}

/*
 * A SIGTERM that is not of Wick: a scheduler that takes a job's machines away sends it to all of
 * its processes at once, and trials are dead before the driver has heard of it. That is no failure,
 * and they run again: unless that is how this trial ends each time.
 */
static void mark_terminated(struct live_trial *trial, struct outcome *result)
{
    bool terminated = result->signal == SIGTERM || result->exit_code == 128 + SIGTERM;
    if (result->state != OUTCOME_FAILED || !terminated || ++trial->losses >= LOSSES)
        return;
    result->state = OUTCOME_INTERRUPTED;
    snprintf(result->reason, sizeof result->reason, "ended by a SIGTERM from outside");
}

static void took_result(struct driver *d, struct live_trial *trial, unsigned worker,
                        const unsigned char *bytes, size_t length)
{
    outcome_unpack(&d->result, bytes, length);
    check_interruption(d, trial);
    mark_terminated(trial, &d->result);
    driver_mark_stopped(d, trial, &d->result);
    outcome_judge(d->study, live_point(&d->live, trial), &d->result);
    mark_unwanted(d, &d->result);
    bool left = trial->leaving && d->result.state == OUTCOME_INTERRUPTED;
    end_trial(d, trial, worker, &d->result);
    if (left) /* the next run goes on with it, and begins what would be told the same here */
        driver_stop(d, END_DEADLINE, false);
    if (has_score(&d->result) && d->result.violation <= 0 &&
        standing_reaches_target(d->study, d->result.score))
        driver_stop(d, END_TARGET, true);
}

void driver_ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct driver *d = self;
    struct live_trial *trial = live_find(&d->live, id);
    if (outcome == BALANCE_DONE)
        took_result(d, trial, (unsigned)worker, bytes, length);
    else if (outcome == BALANCE_LOST)
        lost_trial(d, trial, (unsigned)worker);
    else if (outcome == BALANCE_REFUSED)
        refuse_trial(d, trial);
    else
        took_back(d, trial);
    if (outcome !=
        BALANCE_DONE) /* it may have come without a message, when a worker was given up */
        driver_finish_if_over(d);
}
