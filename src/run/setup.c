/* setup.c - making a driver, and bringing it to where an earlier run ended. */
#include "run/driver.h"

#include "earlier/earlier.h"
#include "replay/replay.h"
#include "run/role.h"

#include <math.h>

/* ---- where an earlier run ended ---- */

static void replay_trial(void *self, size_t index, const double *point, uint64_t line, bool again)
{
    struct driver *d = self;
    const struct journal *journal = d->options->journal;
    const struct journal_trial *trial = &journal->trials[index];
    bool is_known = !journal_is_lost(trial);
    if (is_known && (trial->state == OUTCOME_DONE || trial->state == OUTCOME_INTERRUPTED))
        notice_learn(&d->notice, point, trial->ended - trial->started,
                     trial->state == OUTCOME_INTERRUPTED);
    if (!again && trial->paused)
        promotion_replay(&d->supply.promotion, journal, index, point);
    if (!again)
        return;
    struct live_trial *live = live_add(&d->live, index + 1, trial->tries + 1u, point);
    live->failures = outcome_state_ended(trial->state) ? 0 : trial->failures;
    live->queued = line;
    live->origin = trial->origin;
    live->step = journal_progress(journal, index)->paused_at;
    retry_add(&d->supply.retry, index + 1);
}

static void replay_end(void *self, size_t index)
{
    struct driver *d = self;
    enum outcome_state state = d->options->journal->trials[index].state;
    d->progress.ended++;
    d->progress.failed += outcome_state_failed(state);
    d->progress.stopped += state == OUTCOME_STOPPED;
}

static int resume(struct driver *d, const struct journal *journal, struct err *e)
{
    struct replay replay = {.journal = journal,
                            .search = d->search,
                            .stop = d->stop,
                            .best = &d->best,
                            .retry_failed = d->options->retry_failed,
                            .self = d,
                            .trial = replay_trial,
                            .ended = replay_end};
    inbox_queue_skip(&d->supply.queue, journal->queued);
    if (replay_journal(&replay, e))
        return e->code;
    d->supply.thinking.quick = d->supply.thinking.recorded = journal->quick;
    d->supply.thinking.cost = journal->cost;
    d->supply.thinking.known = search_known(d->search);
    d->progress.before = d->progress.ended;
    d->progress.best = best_id(&d->best);
    d->progress.best_score = best_score(&d->best);
    d->progress.front = journal->front_count;
    return 0;
}

/* ---- a driver ---- */

/* Threads live and die together: one server is enough for them, and nobody is watched. */
struct balance_rules driver_rules(const struct study *study, const struct run_options *options,
                                  unsigned workers)
{
    struct balance_rules rules = options->rules;
    if (study_steers(study) || search_learns(study->search.algorithm) || study->search.batch > 0)
        rules.batch =
            1; /* the second of a batch would be suggested without the result of the first */
    if (!options->mpi && rules.servers == 0)
        rules.servers = 1;
    if (!options->mpi && rules.servers > (int)workers)
        rules.servers = (int)workers; /* each has at least one worker */
    if (!options->mpi && !options->world)
        rules.lost_after = 0;
    return rules;
}

static void create_search(struct driver *d)
{
    const struct study *study = d->study;
    struct supply *supply = &d->supply;
    supply->settings = study->search;
    supply->settings.trials = d->options->trials;
    if (!study->search.reproducible) /* which must not depend on the number of workers */
        supply->settings.workers = d->progress.workers;
    d->search = search_create(&supply->settings, &study->space);
    supply->thinking.trials = d->options->trials;
    supply->thinking.limited = search_can_hurry(supply->settings.algorithm) &&
                               !supply->settings.reproducible && supply->settings.batch == 0;
    supply->learns = search_learns(supply->settings.algorithm) || supply->settings.batch > 0;
    supply->point = memory_new(study->space.count, sizeof *supply->point);
    if (study->stop.name)
        d->stop = stop_create(&study->stop, study->model.maximize);
    promotion_init(&supply->promotion, d->stop, study->space.count);
    inbox_queue_open(&supply->queue, d->dir, &study->space);
    d->progress.choice = search_choice(d->search);
    d->progress.budget = standing_total(d->options->trials, d->search);
}

static void create_notice(struct driver *d)
{
    const struct run_options *options = d->options;
    d->notice.grace = d->study->model.grace;
    d->notice.warning = options->notice;
    if (options->deadline > 0 || options->notice > 0)
        d->notice.forecast = forecast_create(&d->study->space, d->study->search.seed);
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
                         .progress = {.best_score = NAN, .left = NAN}};
    unsigned resting = 0;
    bool *rests =
        options->mpi ? role_resting(options->mpi, &d->rules, options->per_node, &resting) : NULL;
    d->progress.workers = workers - resting;
    create_search(d);
    create_notice(d);
    live_init(&d->live, study->space.count);
    workload_init(&d->workload, workers, rests, resting);
    best_init(&d->best, study_objectives(study), study->search.maximize, 0, d->stop != NULL);
    int failed = options->journal ? resume(d, options->journal, e) : 0;
    if (!failed)
        failed = earlier_begin(options->earlier, options->journal, &study->space, d->search,
                               journal, dir, e);
    d->supply.started = search_asked(d->search);
    d->retention = (struct retention){.study = study,
                                      .journal = options->journal,
                                      .best = &d->best,
                                      .live = &d->live,
                                      .search = d->search};
    if (!failed)
        failed = retention_begin(&d->retention, dir, e);
    d->notice.resumes = d->retention.was_cut;
    return failed;
}

static void supply_free(struct supply *supply)
{
    retry_free(&supply->retry);
    inbox_queue_close(&supply->queue);
    promotion_free(&supply->promotion);
    failures_free(&supply->suspicion.failures);
    str_free(&supply->task);
    free(supply->point);
}

void driver_free(struct driver *d)
{
    if (d->server)
        balance_free(d->server);
    steer_free(d->steer);
    retention_end(&d->retention, !d->hurried);
    supply_free(&d->supply);
    search_free(d->search);
    stop_free(d->stop);
    live_free(&d->live);
    workload_free(&d->workload);
    forecast_free(d->notice.forecast);
    best_free(&d->best);
    news_free(&d->news);
    outcome_free(&d->outcome);
}
