/*
 * load.c - what the records of a journal mean.
 *
 * For each trial, only what every command needs stays in memory (72 bytes), including the offsets
 * of its records. Parameters, metrics and logs are read from the records on demand.
 */
#include "journal/load.h"

#include "journal/pareto.h"
#include "journal/records.h"
#include "journal/seal.h"

#include <math.h>

static void unquote(struct slice quoted, struct str *out)
{
    struct json j;
    json_open(&j, quoted.text, quoted.length);
    json_string(&j, out);
}

/* A number that counts something; 0 if it cannot be a count. */
static uint64_t count_of(double number)
{
    return number > 0 && number < 1e15 ? (uint64_t)number : 0;
}

/* The trial that a record is about, or NULL. */
static struct journal_trial *trial_of(struct journal_loader *l, double id)
{
    return id >= 1 && id <= (double)l->journal->count ? &l->journal->trials[(size_t)id - 1] : NULL;
}

static double *scores_of(const struct journal_loader *l, size_t index)
{
    return l->journal->scores + index * study_objectives(&l->journal->study);
}

static void forget_scores(const struct journal_loader *l, size_t index)
{
    size_t objectives = study_objectives(&l->journal->study);
    for (size_t i = 0; i < objectives && l->journal->scores; i++)
        scores_of(l, index)[i] = NAN;
}

/* Room for the scores of a new trial. */
static void add_scores(struct journal_loader *l)
{
    struct journal *journal = l->journal;
    size_t objectives = study_objectives(&journal->study);
    if (objectives > 1)
        journal->scores = memory_grow(journal->scores, &l->score_capacity, journal->count,
                                      objectives * sizeof *journal->scores);
}

static void add_trial(struct journal_loader *l, struct journal_trial trial)
{
    struct journal *journal = l->journal;
    journal->trials =
        memory_grow(journal->trials, &l->capacity, journal->count + 1, sizeof *journal->trials);
    journal->trials[journal->count++] = trial;
    add_scores(l);
}

enum { LOST_ANYWAY = 1 << 20 }; /* lost trials that are believed, however small the file is */

/*
 * How many further trials damage may have swallowed. A record may say any number; but no more
 * trials were lost than the file has bytes, unless hardly anything of it is left.
 */
static double may_lose(const struct journal_loader *l)
{
    double most = (double)l->journal->file_size + LOST_ANYWAY - (double)l->lost;
    return fmin((double)l->may_miss, most);
}

/*
 * Trial numbers have no gaps, so if one is left out, damage has swallowed the start of that trial.
 * Adds all lost trials up to this number; false if there was not that much damage.
 */
static bool add_lost(struct journal_loader *l, double until)
{
    struct journal *journal = l->journal;
    if (until - (double)journal->count > may_lose(l))
        return false;
    for (; until >= (double)journal->count + 1; l->may_miss--) {
        l->lost++;
        add_trial(l, (struct journal_trial){
                         .state = OUTCOME_INTERRUPTED, .score = NAN, .started = NAN, .ended = NAN});
        forget_scores(l, journal->count - 1);
    }
    return true;
}

/* True for the start of the first try, which has the parameters. */
static bool is_first(const struct record *record)
{
    return record->kind == RECORD_START && record->has_params;
}

static bool is_about_trial(const struct record *record)
{
    return record->kind == RECORD_START || record->kind == RECORD_MOVE ||
           record->kind == RECORD_STEP || record->kind == RECORD_TEAM || record->kind == RECORD_END;
}

uint64_t load_missing(const struct journal_loader *l, const struct record *record)
{
    double known = (double)l->journal->count + is_first(record);
    return is_about_trial(record) ? count_of(record->subject - known) : 0;
}

/* What is recorded of a lost trial is of no use without its parameters: it runs again. */
static bool is_of_lost(struct journal_loader *l, const struct record *record)
{
    if (!is_about_trial(record) || is_first(record) || !add_lost(l, record->subject))
        return false;
    const struct journal_trial *trial = trial_of(l, record->subject);
    return trial && journal_is_lost(trial);
}

static void set_place(struct journal_trial *trial, const struct record *record)
{
    trial->started = record->time;
    trial->worker = (uint32_t)fmin(fmax(record->worker, 0), UINT32_MAX);
}

static const char *load_move(struct journal_loader *l, const struct record *record)
{
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial || trial->state != OUTCOME_RUNNING)
        return "it moves a trial that is not running";
    set_place(trial, record);
    return NULL;
}

static const char *read_scores(const struct journal_loader *l, size_t index, struct slice list)
{
    size_t objectives = study_objectives(&l->journal->study), count = 0;
    struct json j;
    json_open(&j, list.text, list.length);
    json_enter(&j, '[');
    while (json_item(&j) && count < objectives)
        scores_of(l, index)[count++] = json_number(&j);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(scores_of(l, index)[i]))
            return "a score is not a number";
    return count == objectives ? json_close(&j) : "it does not have one score per objective";
}

/* Makes room for the progress of a trial, and of those before it. */
static struct journal_progress *progress_of(struct journal_loader *l,
                                            const struct journal_trial *trial)
{
    struct journal *journal = l->journal;
    size_t index = (size_t)(trial - journal->trials);
    if (index >= journal->progress_count) {
        journal->progress = memory_grow(journal->progress, &l->progress_capacity, index + 1,
                                        sizeof *journal->progress);
        memset(journal->progress + journal->progress_count, 0,
               (index + 1 - journal->progress_count) * sizeof *journal->progress);
        journal->progress_count = index + 1;
    }
    return &journal->progress[index];
}

static const char *load_step(struct journal_loader *l, const struct record *record)
{
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    struct journal_progress *progress = progress_of(l, trial);
    enum journal_place place =
        journal_curve_add(&progress->curve, trial->tries, count_of(record->n));
    if (place == JOURNAL_ANEW)
        trial->steps = 1;
    else if (place == JOURNAL_NEXT && trial->steps < UINT32_MAX)
        trial->steps++;
    if (record->value.length > 0)
        progress->step = l->offset;
    return NULL;
}

static const char *load_team(struct journal_loader *l, const struct record *record)
{
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    progress_of(l, trial)->team = l->offset;
    return NULL;
}

/* The first start of a trial, which has its point. Lost trials get another point later. */
static bool load_point(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    struct journal_trial fresh = {.params = l->offset,
                                  .queued = record->queued > 0,
                                  .origin = (uint32_t)fmin(fmax(record->from, 0), UINT32_MAX)};
    struct journal_trial *trial = trial_of(l, record->subject);
    if ((trial && !journal_is_lost(trial)) || !(record->subject >= 1) ||
        !add_lost(l, record->subject - 1))
        return false;
    if (trial)
        *trial = fresh;
    else
        add_trial(l, fresh);
    if (count_of(record->queued) > journal->queued)
        journal->queued = count_of(record->queued);
    return true;
}

static const char *load_start(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    if (record->has_params && !load_point(l, record))
        return "its trial number is out of order";
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    /*
     * It had ended and starts again, because it was paused, or by wick resume --retry-failed: its
     * earlier end no longer counts.
     */
    if (outcome_state_ended(trial->state)) {
        trial->failures = 0;
        l->restarted = true;
    }
    trial->state = OUTCOME_RUNNING;
    trial->score = trial->ended = NAN;
    trial->violation = 0;
    trial->paused = false;
    size_t index = (size_t)(trial - journal->trials);
    if (index < journal->progress_count)
        journal->progress[index].step = journal->progress[index].team = 0;
    forget_scores(l, index);
    set_place(trial, record);
    trial->tries++;
    return NULL;
}

static const char *load_end(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    if (trial->state != OUTCOME_RUNNING && l->may_miss == 0)
        return "its trial has ended already";
    l->restarted |= outcome_state_ended(trial->state); /* the start of this try is lost */
    struct slice name = record->state;
    if (name.length < 2)
        return "it has no state";
    enum outcome_state state = outcome_state_find((struct slice){name.text + 1, name.length - 2});
    if (state == OUTCOME_RUNNING)
        return "its state is unknown";
    size_t index = (size_t)(trial - journal->trials);
    const char *wrong = NULL;
    if (journal->scores && state == OUTCOME_DONE && !record->again)
        wrong = read_scores(l, index, record->scores);
    if (wrong) {
        forget_scores(l, index);
        return wrong;
    }
    trial->end = l->offset;
    trial->ended = record->time;
    trial->started = record->time - record->took;
    trial->processor = (float)record->cpu;
    if (outcome_state_failed(state) && trial->failures < UINT8_MAX)
        trial->failures++;
    if (record->again) { /* it is going to run again, whatever happened */
        trial->state = OUTCOME_INTERRUPTED;
        return NULL;
    }
    trial->state = (uint8_t)state;
    trial->paused = record->paused;
    if (record->paused) {
        struct journal_progress *progress = progress_of(l, trial);
        progress->paused_at = progress->curve.last;
    }
    trial->score = record->score;
    trial->violation = fmax(record->violation, 0);
    journal->completions = memory_grow(journal->completions, &l->completion_capacity,
                                       journal->completion_count + 1, sizeof(uint32_t));
    journal->completions[journal->completion_count++] = (uint32_t)index;
    return NULL;
}

static const char *load_earlier(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    if (!record->has_params)
        return "it has no parameters";
    journal->earlier = memory_grow(journal->earlier, &l->earlier_capacity,
                                   journal->earlier_count + 1, sizeof *journal->earlier);
    journal->earlier[journal->earlier_count++] = l->offset;
    return NULL;
}

/* ---- where the workers are ---- */

static struct journal_placement *add_placement(struct journal_loader *l)
{
    struct journal *journal = l->journal;
    journal->placements = memory_grow(journal->placements, &l->placement_capacity,
                                      journal->placement_count + 1, sizeof *journal->placements);
    struct journal_placement *placement = &journal->placements[journal->placement_count++];
    *placement = (struct journal_placement){.step = 1};
    return placement;
}

static uint32_t read_worker(struct json *j)
{
    return (uint32_t)fmin(fmax(json_number(j), 0), UINT32_MAX);
}

/* ["n1",1,64] or ["n1",1,63,2] */
static void read_placement(struct json *j, struct journal_placement *placement)
{
    struct str name = {0};
    json_enter(j, '[');
    for (size_t i = 0; json_item(j); i++) {
        if (i == 0)
            json_string(j, &name);
        else if (i == 1)
            placement->first = read_worker(j);
        else if (i == 2)
            placement->last = read_worker(j);
        else if (i == 3)
            placement->step = read_worker(j);
        else
            json_skip(j);
    }
    placement->step += placement->step == 0;
    snprintf(placement->node, sizeof placement->node, "%s", str_text(&name));
    str_free(&name);
}

static struct journal_run *last_run(struct journal *journal)
{
    return journal->run_count > 0 ? &journal->runs[journal->run_count - 1] : NULL;
}

/* Replaces the single placement that "open" made. */
static const char *load_nodes(struct journal_loader *l, const struct record *record)
{
    struct json j;
    struct journal_run *run = last_run(l->journal);
    if (!run)
        return NULL; /* no run has started: it says nothing */
    l->journal->placement_count = run->placements;
    run->nodes = (uint32_t)fmin(fmax(record->subject, 1), UINT32_MAX);
    json_open(&j, record->placement.text, record->placement.length);
    json_enter(&j, '[');
    run->last = 0;
    while (json_item(&j)) {
        struct journal_placement *placement = add_placement(l);
        read_placement(&j, placement);
        run->last = placement->last > run->last ? placement->last : run->last;
    }
    return json_close(&j);
}

static void load_lost(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    journal->lost_workers = memory_grow(journal->lost_workers, &l->lost_capacity, journal->lost + 1,
                                        sizeof *journal->lost_workers);
    journal->lost_workers[journal->lost++] = (uint32_t)count_of(record->subject);
}

/* On one node, if no "nodes" record follows. */
static void add_run(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    struct str job = {0};
    journal->runs =
        memory_grow(journal->runs, &l->run_capacity, journal->run_count + 1, sizeof *journal->runs);
    struct journal_run *run = &journal->runs[journal->run_count++];
    *run = (struct journal_run){
        .since = record->subject, .nodes = 1, .placements = journal->placement_count};
    if (record->job.length > 0)
        unquote(record->job, &job);
    snprintf(run->job, sizeof run->job, "%s", str_text(&job));
    str_free(&job);
    struct journal_placement *placement = add_placement(l);
    placement->first = 1;
    placement->last = run->last = (uint32_t)fmin((double)journal->workers, UINT32_MAX);
    memcpy(placement->node, journal->host, sizeof placement->node);
}

/* The last run has taken until the last record, so far. */
static void measure_run(struct journal_loader *l)
{
    struct journal_run *run = last_run(l->journal);
    if (run)
        run->seconds = l->journal->last_time - l->opened;
}

static void load_pace(struct journal *journal, const struct record *record)
{
    journal->quick = record->quick;
    journal->cost = record->cost;
}

static const char *load_open(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    struct str host = {0};
    if (record->host.length > 0)
        unquote(record->host, &host);
    measure_run(l);
    l->spent += journal->last_time - l->opened;
    l->opened = record->subject;
    journal->last_time = fmax(journal->last_time, record->subject);
    journal->workers = count_of(record->workers);
    journal->lost = 0;
    journal->budget = count_of(record->trials);
    journal->limit = record->limit;
    journal->end = END_NONE;
    journal->why[0] = 0;
    snprintf(journal->host, sizeof journal->host, "%s", str_text(&host));
    snprintf(journal->owner, sizeof journal->owner, "process %.0f on %s", record->pid,
             journal->host);
    add_run(l, record);
    str_free(&host);
    return NULL;
}

static void load_close(struct journal_loader *l, const struct record *record)
{
    struct str why = {0};
    if (record->why.length > 0)
        unquote(record->why, &why);
    l->journal->end = journal_end_read(str_text(&why));
    l->journal->last_time = fmax(l->journal->last_time, record->subject);
    snprintf(l->journal->why, sizeof l->journal->why, "%s", str_text(&why));
    str_free(&why);
}

/* What was lost before the file was mended is no damage any more. */
static void load_repair(struct journal_loader *l, const struct record *record)
{
    l->journal->damage.mended++;
    l->journal->damage.mended_records += count_of(record->lost);
    l->journal->damage.mended_more |= record->more;
    l->may_miss += count_of(record->trials);
}

const char *load_record(struct journal_loader *l, const struct record *record)
{
    if ((l->lost > 0 || l->may_miss > 0) && is_of_lost(l, record))
        return NULL;
    l->journal->last_time = fmax(l->journal->last_time, record->time);
    switch (record->kind) {
    case RECORD_START: return load_start(l, record);
    case RECORD_MOVE: return load_move(l, record);
    case RECORD_STEP: return load_step(l, record);
    case RECORD_TEAM: return load_team(l, record);
    case RECORD_NODES: return load_nodes(l, record);
    case RECORD_LOST: load_lost(l, record); return NULL;
    case RECORD_PACE: load_pace(l->journal, record); return NULL;
    case RECORD_END: return load_end(l, record);
    case RECORD_OPEN: return load_open(l, record);
    case RECORD_CLOSE: load_close(l, record); return NULL;
    case RECORD_EARLIER: return load_earlier(l, record);
    case RECORD_CHANGE: return records_load_change(l->journal, record->keys, record->says);
    case RECORD_REPAIR: load_repair(l, record); return NULL;
    case RECORD_HEADER: return "it is a second head";
    case RECORD_OTHER: return NULL; /* from a later version: ignored */
    }
    return NULL;
}

/* What the header says about the study, apart from its definition. */
static void load_study(struct study *study, const struct record *record)
{
    const char *home = records_text(&study->arena, record->home);
    study->name = records_text(&study->arena, record->study); /* it may be that of the study file */
    study->home = home ? home : study->home;
    study->file = records_text(&study->arena, record->file);
    study->file_text = records_text(&study->arena, record->says);
    if (!study->file_text)
        study->file_text = study->text;
}

static int check_version(const struct journal *journal, const struct record *record, struct err *e)
{
    if (record->kind != RECORD_HEADER)
        return err_set(e, ERR_USER, "%s/journal is not a Wick journal", journal->dir);
    if (record->subject != JOURNAL_VERSION && record->subject != JOURNAL_UNSEALED)
        return err_set(
            e, ERR_USER,
            "%s/journal has version %.0f, but this wick reads versions up to %d: use the "
            "wick that wrote it",
            journal->dir, record->subject, JOURNAL_VERSION);
    return 0;
}

bool load_key(struct slice quoted, uint64_t *key)
{
    return quoted.length > 2 &&
           seal_read_key((struct slice){quoted.text + 1, quoted.length - 2}, key);
}

int load_head(struct journal *journal, const struct record *record, const struct str *definition,
              struct err *e)
{
    struct str folder = {0}, own = {0};
    struct err_list mistakes = {0};
    if (check_version(journal, record, e))
        return e->code;
    if (record->study.length && record->folder.length)
        unquote(record->folder, &folder);
    if (record->study.length && record->definition.length)
        unquote(record->definition, &own);
    load_key(record->key, &journal->key);
    if (!definition)
        definition = &own;
    journal->created = record->created;
    int failed = study_restore(&journal->study, str_text(definition), definition->length,
                               str_text(&folder), &mistakes);
    if (failed) {
        *e = mistakes.items[0];
        err_wrap(e, "the study in %s/%s", journal->dir,
                 definition == &own ? "journal" : "study.yaml");
    }
    if (!failed)
        load_study(&journal->study, record);
    journal->budget = failed ? 0 : journal->study.search.trials;
    journal->limit = failed ? 0 : journal->study.time;
    err_list_free(&mistakes);
    str_free(&folder);
    str_free(&own);
    return failed;
}

/* Only the last end of a trial counts, and none while it is running. */
static void forget_old_ends(struct journal *journal)
{
    bool *seen = memory_new(journal->count, sizeof *seen);
    size_t kept = journal->completion_count;
    for (size_t k = journal->completion_count; k-- > 0;) {
        uint32_t index = journal->completions[k];
        if (!seen[index] && outcome_state_ended(journal->trials[index].state))
            journal->completions[--kept] = index;
        seen[index] = true;
    }
    journal->completion_count -= kept;
    memmove(journal->completions, journal->completions + kept,
            journal->completion_count * sizeof *journal->completions);
    free(seen);
}

/* Drops the front found so far, before more records are read. */
static void forget_front(struct journal *journal)
{
    for (size_t i = 0; i < journal->front_count; i++)
        journal->trials[journal->front[i]].on_front = false;
    free(journal->front);
    journal->front = NULL;
    journal->front_count = 0;
}

void load_conclude(struct journal *journal, bool changed)
{
    struct journal_loader *l = journal->loader;
    if (l->restarted && journal->completions)
        forget_old_ends(journal);
    if (journal->scores && (changed || l->restarted)) {
        forget_front(journal);
        pareto_find(journal);
    }
    l->restarted = false;
    l->journal = journal;
    measure_run(l);
    journal->spent = l->spent + journal->last_time - l->opened;
}
