/*
 * asktell.c - the loop in the caller's hands.
 *
 * The life of a trial:
 *
 *            ask                tell
 *   (new) ────────▶ ASKED_OPEN ───────▶ ASKED_TOLD
 *                      │  ▲                 ▲
 *     the input ends,  │  │ ask again,      │ tell, by a caller that
 *     or wick is killed▼  │ the same id     │ still knows the id
 *                  ASKED_WAITING ───────────┘
 *
 * A line is read twice: first to find what is wrong with it, then to do what it says. So a wrong
 * line changes nothing, however long it is. This room reads the clock itself: there is no actor
 * whose comm_now() it could use.
 */
#include "asktell/asktell.h"

#include "asktell/tell.h"
#include "best/best.h"
#include "inbox/inbox.h"
#include "replay/replay.h"
#include "search/search.h"
#include "standing/standing.h"

#include <math.h>
#include <unistd.h>

enum asked_state { ASKED_OPEN, ASKED_WAITING, ASKED_TOLD };

/* A trial, by id. A million trials that were told must not need much memory. */
struct asked {
    uint32_t place; /* of its point and time, until it is told */
    uint32_t tries; /* as the journal counts them */
    uint8_t state;  /* enum asked_state */
};

/* What is known of trials until they are told, by place; places are used again. */
struct places {
    double *points;
    double *times;   /* when a trial was asked for */
    uint64_t *lines; /* its line in the queue; 0: it is a suggestion */
    size_t count, point_capacity, time_capacity, line_capacity;
    uint32_t *free; /* places that are free again */
    size_t free_count, free_capacity;
};

struct asktell {
    const struct study *study;
    const struct asktell_options *options;
    const struct space *space;
    struct search *search;
    struct journal_writer *journal;
    double offset; /* the study's time is clock_now() + offset */
    size_t objectives;

    struct asked *trials; /* trial `id` at id - 1 */
    size_t count, capacity;
    size_t open;   /* how many of them are ASKED_OPEN */
    size_t resume; /* no trial before this one is ASKED_WAITING */

    struct places places;
    struct inbox_queue queue; /* points that the user wants tried first */
    struct best best;
    uint64_t *marked; /* ids in this line, with their states from before */
    size_t marked_count, marked_capacity;
    struct outcome result; /* of the item that is being read */
    double *point;
    bool exhausted; /* the search has nothing left */
};

static double now(const struct asktell *a)
{
    return clock_now() + a->offset;
}

/* ---- trials ---- */

static double *point_of(struct asktell *a, const struct asked *trial)
{
    return a->places.points + trial->place * a->space->count;
}

static void occupy_place(struct asktell *a, struct asked *trial, const double *point, uint64_t line)
{
    struct places *places = &a->places;
    size_t width = a->space->count;
    if (places->free_count > 0)
        trial->place = places->free[--places->free_count];
    else
        trial->place = (uint32_t)places->count++;
    places->points = memory_grow(places->points, &places->point_capacity, places->count * width,
                                 sizeof *places->points);
    places->times =
        memory_grow(places->times, &places->time_capacity, places->count, sizeof *places->times);
    places->lines =
        memory_grow(places->lines, &places->line_capacity, places->count, sizeof *places->lines);
    places->lines[trial->place] = line;
    memcpy(point_of(a, trial), point, width * sizeof *point);
}

static void leave_place(struct asktell *a, const struct asked *trial)
{
    struct places *places = &a->places;
    places->free = memory_grow(places->free, &places->free_capacity, places->free_count + 1,
                               sizeof *places->free);
    places->free[places->free_count++] = trial->place;
}

static struct asked *add_trial(struct asktell *a, enum asked_state state)
{
    a->trials = memory_grow(a->trials, &a->capacity, a->count + 1, sizeof *a->trials);
    a->trials[a->count] = (struct asked){.state = (uint8_t)state};
    return &a->trials[a->count++];
}

/* Places of trials that are open at the same time are what workers are elsewhere. */
static unsigned worker_of(const struct asked *trial)
{
    enum { MOST = 1000 };
    return trial->place < MOST ? trial->place + 1 : MOST;
}

/* Hands a trial out. */
static uint64_t open_trial(struct asktell *a, struct asked *trial)
{
    trial->state = ASKED_OPEN;
    trial->tries++;
    a->open++;
    a->places.times[trial->place] = now(a);
    return (uint64_t)(trial - a->trials) + 1;
}

/* Records the start of the first try. */
static void write_start(struct asktell *a, const struct asked *trial, uint64_t id)
{
    uint64_t line = a->places.lines[trial->place];
    const double *point = point_of(a, trial);
    if (line > 0)
        journal_start_queued(a->journal, id, now(a), worker_of(trial), a->space, point, line);
    else
        journal_start(a->journal, id, now(a), worker_of(trial), 1, a->space, point);
}

/* Hands out a trial of an earlier run that was not told. */
static void open_again(struct asktell *a, struct asked *trial)
{
    uint64_t id = open_trial(a, trial);
    if (trial->tries == 1) /* its record was lost */
        write_start(a, trial, id);
    else
        journal_start(a->journal, id, now(a), worker_of(trial), trial->tries, a->space, NULL);
}

/* Hands out a new trial; `line` is its line in the queue, 0: it is a suggestion. */
static struct asked *open_new(struct asktell *a, uint64_t line)
{
    struct asked *trial = add_trial(a, ASKED_OPEN);
    occupy_place(a, trial, a->point, line);
    write_start(a, trial, open_trial(a, trial));
    return trial;
}

/* ---- ask ---- */

static void put_trial(struct asktell *a, struct asked *trial, struct str *answer)
{
    json_add_object(answer);
    json_set_whole(answer, "id", (uint64_t)(trial - a->trials) + 1);
    json_add_key(answer, "params");
    space_put_json(a->space, point_of(a, trial), answer);
    json_end_object(answer);
}

/* The next trial that was asked for in an earlier run and not told, or NULL. */
static struct asked *next_waiting(struct asktell *a)
{
    for (; a->resume < a->count; a->resume++)
        if (a->trials[a->resume].state == ASKED_WAITING)
            return &a->trials[a->resume];
    return NULL;
}

/* The next trial; NULL when there is none, and *answer says why. */
static struct asked *next_trial(struct asktell *a, enum search_answer *answer)
{
    struct asked *trial = next_waiting(a);
    *answer = SEARCH_POINT;
    if (trial) {
        open_again(a, trial);
        return trial;
    }
    uint64_t line = inbox_queue_pop(&a->queue, a->point);
    if (line > 0) {
        search_add(a->search, a->point);
        return open_new(a, line);
    }
    bool spent = standing_trials_left(a->options->trials, a->count) == 0;
    *answer = spent ? SEARCH_END : search_ask(a->search, a->point);
    if (*answer == SEARCH_WAIT && a->open == 0)
        *answer = SEARCH_END; /* no result will come: waiting for one would never end */
    a->exhausted = *answer == SEARCH_END && !spent;
    return *answer == SEARCH_POINT ? open_new(a, 0) : NULL;
}

static void ask(struct asktell *a, struct json *j, struct str *answer)
{
    double wanted = json_number(j);
    enum search_answer last = SEARCH_POINT;
    while (inbox_queue_look(&a->queue) && inbox_queue_waiting(&a->queue) == 0)
        ;
    json_add_object(answer);
    json_set_array(answer, "trials");
    for (double i = 0; i < wanted && last == SEARCH_POINT; i++) {
        struct asked *trial = next_trial(a, &last);
        if (trial)
            put_trial(a, trial, answer);
    }
    json_end_array(answer);
    if (last != SEARCH_POINT)
        json_set_bool(answer, last == SEARCH_END ? "end" : "wait", true);
    json_end_object(answer);
    str_add_char(answer, '\n');
}

static int check_ask(struct json *j, struct err *e)
{
    double wanted = json_peek(j) == JSON_NUMBER ? json_number(j) : (json_skip(j), NAN);
    if (wanted >= 1 && wanted <= ASKTELL_ASK && wanted == floor(wanted))
        return 0;
    return err_set(e, ERR_USER, "'ask' needs a whole number from 1 to %d, as in {\"ask\": 1}",
                   ASKTELL_ASK);
}

/* ---- tell: checking ---- */

/* ERR_USER when something is missing in an item, or does not fit. */
static int check_told(const struct asktell *a, const struct tell *tell, struct err *e)
{
    if (!(tell->id >= 1) || tell->id > (double)a->count)
        return isnan(tell->id) ? err_set(e, ERR_USER,
                                         "the 'id' of a trial is missing, as in {\"tell\": "
                                         "{\"id\": 1, \"score\": 0.3}}")
                               : err_set(e, ERR_USER, "there is no trial %g", tell->id);
    if (tell->id != floor(tell->id))
        return err_set(e, ERR_USER, "there is no trial %g", tell->id);
    if (a->trials[(size_t)tell->id - 1].state == ASKED_TOLD)
        return err_set(e, ERR_USER, "the result of trial %.0f was already told", tell->id);
    if (tell->failed && tell->score_count > 0)
        return err_set(e, ERR_USER, "trial %.0f has a score and has failed: tell only one of them",
                       tell->id);
    if (tell->failed)
        return 0;
    if (tell->score_count == 0)
        return err_set(e, ERR_USER,
                       "trial %.0f needs a 'score', or \"failed\": true when it has none",
                       tell->id);
    if (tell->score_count != a->objectives)
        return err_set(e, ERR_USER, "trial %.0f needs %zu score%s, but has %zu", tell->id,
                       a->objectives, a->objectives == 1 ? "" : "s", tell->score_count);
    return 0;
}

/* Further scores become metrics with their names, as trials of other studies report them. */
static int add_scores(const struct asktell *a, const struct tell *tell, struct outcome *result,
                      struct err *e)
{
    for (size_t i = 1; i < a->objectives; i++) {
        const char *name = study_objective_name(a->study, i);
        size_t at = 0;
        while (at < result->metric_count && strcmp(result->metrics[at].name, name) != 0)
            at++;
        if (at == OUTCOME_METRICS)
            return err_set(e, ERR_USER, "a trial has at most %d metrics", OUTCOME_METRICS);
        snprintf(result->metrics[at].name, sizeof result->metrics[at].name, "%s", name);
        result->metrics[at].value = tell->scores[i];
        result->metric_count += at == result->metric_count;
    }
    return 0;
}

/* Completes a->result; ERR_USER when something is missing that the constraints need. */
static int judge(struct asktell *a, const struct tell *tell, struct err *e)
{
    struct outcome *result = &a->result;
    const struct asked *trial = &a->trials[(size_t)tell->id - 1];
    result->state = tell->failed ? OUTCOME_FAILED : OUTCOME_DONE;
    result->score = tell->failed ? NAN : tell->scores[0];
    if (!tell->failed && add_scores(a, tell, result, e))
        return e->code;
    outcome_judge(a->study, point_of(a, trial), result);
    if (!tell->failed && result->state != OUTCOME_DONE)
        return err_set(e, ERR_USER, "trial %.0f has %s", tell->id, result->reason);
    return 0;
}

/* Reads one item, into `tell` and a->result. */
static int read_told(struct asktell *a, struct json *j, struct tell *tell, struct err *e)
{
    if (tell_read(j, tell, &a->result, e) || check_told(a, tell, e))
        return e->code;
    return judge(a, tell, e);
}

/* ---- tell: doing ---- */

static void end_trial(struct asktell *a, const struct tell *tell)
{
    uint64_t id = (uint64_t)tell->id;
    struct asked *trial = &a->trials[id - 1];
    if (trial->state == ASKED_WAITING) /* the caller still knew it from an earlier run */
        open_again(a, trial);
    struct outcome *result = &a->result;
    struct search_result outcome = {.good = !tell->failed, .violation = result->violation};
    memcpy(outcome.scores, tell->scores, sizeof outcome.scores);
    result->exit_code = tell->failed ? -1 : 0;
    result->started = a->places.times[trial->place];
    result->ended = now(a);
    if (tell->failed && !result->reason[0])
        snprintf(result->reason, sizeof result->reason, "the caller reported that it failed");
    journal_end(a->journal, id, result->ended, worker_of(trial), result, false);
    search_tell(a->search, id - 1, &outcome);
    if (!tell->failed && result->violation <= 0)
        best_add(&a->best, id, tell->scores, point_of(a, trial));
    leave_place(a, trial);
    trial->state = ASKED_TOLD;
    a->open--;
}

/* ---- a line with "tell" ---- */

/* Goes to the next item of a list; a value that is no list is one item. */
static bool next_item(struct json *j, bool is_list, size_t done)
{
    return is_list ? json_item(j) : done == 0;
}

static bool enter_items(struct json *j)
{
    bool is_list = json_peek(j) == JSON_ARRAY;
    if (is_list)
        json_enter(j, '[');
    return is_list;
}

/* Marks each trial as told while it checks, so that none is told twice in one line. */
static int check_tell(struct asktell *a, struct json *j, struct err *e)
{
    struct tell tell;
    bool is_list = enter_items(j);
    a->marked_count = 0;
    for (size_t i = 0; next_item(j, is_list, i) && !read_told(a, j, &tell, e); i++) {
        a->marked =
            memory_grow(a->marked, &a->marked_capacity, a->marked_count + 1, sizeof *a->marked);
        struct asked *trial = &a->trials[(size_t)tell.id - 1];
        a->marked[a->marked_count++] = (uint64_t)tell.id << 2 | trial->state;
        trial->state = ASKED_TOLD;
    }
    for (size_t i = 0; i < a->marked_count; i++)
        a->trials[(a->marked[i] >> 2) - 1].state = a->marked[i] & 3;
    return e->code;
}

static void tell(struct asktell *a, struct json *j, struct str *answer)
{
    struct tell tell;
    struct err none = {0};
    bool is_list = enter_items(j);
    for (size_t i = 0; next_item(j, is_list, i); i++) {
        if (read_told(a, j, &tell, &none))
            BUG("a result that was checked: %s", none.message);
        end_trial(a, &tell);
    }
    str_add(answer, "{\"ok\":true}\n");
}

/* ---- best ---- */

static void put_best(const struct asktell *a, size_t index, struct str *answer)
{
    const struct best_item *item = &a->best.items[index];
    json_add_object(answer);
    json_set_whole(answer, "id", item->id);
    json_add_key(answer, "params");
    space_put_json(a->space, best_point(&a->best, index), answer);
    if (a->objectives > 1)
        json_set_numbers(answer, "scores", item->scores, a->objectives);
    else
        json_set_number(answer, "score", item->scores[0]);
    json_end_object(answer);
}

static void best(const struct asktell *a, struct str *answer)
{
    json_add_object(answer);
    if (a->objectives > 1) {
        json_set_array(answer, "front");
        for (size_t i = 0; i < a->best.count; i++)
            put_best(a, i, answer);
        json_end_array(answer);
    } else if (a->best.count > 0) {
        json_add_key(answer, "best");
        put_best(a, 0, answer);
    } else {
        json_set_null(answer, "best");
    }
    json_end_object(answer);
    str_add_char(answer, '\n');
}

static int check_best(struct json *j, struct err *e)
{
    enum json_kind kind = json_peek(j);
    json_skip(j);
    return kind == JSON_TRUE ? 0 : err_set(e, ERR_USER, "write it as {\"best\": true}");
}

/* ---- lines ---- */

enum command { COMMAND_ASK, COMMAND_TELL, COMMAND_BEST, COMMAND_NONE };
static const char *const commands[] = {"ask", "tell", "best", NULL};

static enum command find_command(struct slice key)
{
    int command = COMMAND_ASK;
    while (commands[command] && !slice_is(key, commands[command]))
        command++;
    return (enum command)command;
}

static int check_command(struct asktell *a, enum command command, struct json *j, struct err *e)
{
    switch (command) {
    case COMMAND_ASK: return check_ask(j, e);
    case COMMAND_TELL: return check_tell(a, j, e);
    case COMMAND_BEST: return check_best(j, e);
    case COMMAND_NONE: break;
    }
    return 0;
}

static int check_json(struct slice line, struct err *e)
{
    struct json j;
    json_open(&j, line.text, line.length);
    bool is_object = json_peek(&j) == JSON_OBJECT;
    json_skip(&j);
    const char *wrong = json_close(&j);
    if (wrong)
        return err_set(e, ERR_USER, "this is not JSON: %s, at byte %zu", wrong,
                       (size_t)(j.at - j.start) + 1);
    if (!is_object)
        return err_set(e, ERR_USER, "a line must be an object such as {\"ask\": 1}");
    return 0;
}

/* Finds the command of a line and what is wrong with it; nothing is changed. */
static int check_line(struct asktell *a, struct slice line, enum command *command, struct err *e)
{
    struct json j;
    struct slice key;
    *command = COMMAND_NONE;
    if (check_json(line, e))
        return e->code;
    json_open(&j, line.text, line.length);
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        if (*command != COMMAND_NONE)
            return err_set(e, ERR_USER,
                           "a line must have one of ask, tell and best; this one has more");
        *command = find_command(key);
        if (*command == COMMAND_NONE)
            return json_unknown_key(key, "", commands, e);
        if (check_command(a, *command, &j, e))
            return e->code;
    }
    if (*command == COMMAND_NONE)
        return err_set(e, ERR_USER,
                       "a line must have one of ask, tell and best, as in {\"ask\": 1}");
    return 0;
}

static void do_line(struct asktell *a, struct slice line, enum command command, struct str *answer)
{
    struct json j;
    struct slice key;
    json_open(&j, line.text, line.length);
    json_enter(&j, '{');
    json_key(&j, &key);
    switch (command) {
    case COMMAND_ASK: ask(a, &j, answer); break;
    case COMMAND_TELL: tell(a, &j, answer); break;
    case COMMAND_BEST: best(a, answer); break;
    case COMMAND_NONE: break;
    }
}

static void put_error(struct str *answer, const char *message)
{
    json_add_object(answer);
    json_set_text(answer, "error", message);
    json_end_object(answer);
    str_add_char(answer, '\n');
}

static bool is_blank(struct slice line)
{
    for (size_t i = 0; i < line.length; i++)
        if (!strchr(" \t\r", line.text[i]) || !line.text[i])
            return false;
    return true;
}

void asktell_line(struct asktell *a, struct slice line, struct str *answer)
{
    struct err e = {0};
    enum command command;
    if (is_blank(line))
        return;
    if (check_line(a, line, &command, &e))
        put_error(answer, e.message);
    else
        do_line(a, line, command, answer);
}

void asktell_too_long(struct str *answer)
{
    char message[80];
    snprintf(message, sizeof message, "this line is longer than %d MiB", ASKTELL_LINE >> 20);
    put_error(answer, message);
}

/* ---- start and end ---- */

static void replay_trial(void *self, size_t index, const double *point, uint64_t line, bool again)
{
    struct asktell *a = self;
    struct asked *asked = add_trial(a, again ? ASKED_WAITING : ASKED_TOLD);
    asked->tries = a->options->journal->trials[index].tries;
    if (again)
        occupy_place(a, asked, point, line);
}

/* Brings it to where an earlier run ended. */
static int replay(struct asktell *a, const struct journal *journal, struct err *e)
{
    struct replay plan = {.journal = journal,
                          .search = a->search,
                          .best = &a->best,
                          .self = a,
                          .trial = replay_trial};
    inbox_queue_skip(&a->queue, journal->queued);
    return replay_journal(&plan, e);
}

static void asktell_free(struct asktell *a)
{
    search_free(a->search);
    best_free(&a->best);
    inbox_queue_close(&a->queue);
    outcome_free(&a->result);
    free(a->trials);
    free(a->places.points);
    free(a->places.times);
    free(a->places.lines);
    free(a->places.free);
    free(a->marked);
    free(a->point);
    free(a);
}

/* A new study that could not be set up would be continued without its earlier studies. */
static void forget_study(const char *dir)
{
    struct str path = {0};
    unlink(study_path(&path, dir, STUDY_JOURNAL));
    unlink(study_path(&path, dir, STUDY_QUEUE));
    str_free(&path);
}

int asktell_open(struct asktell **asktell, const struct study *study,
                 const struct asktell_options *options, struct err *e)
{
    struct asktell *a = memory_new(1, sizeof *a);
    *a = (struct asktell){.study = study, .options = options, .space = &study->space};
    a->objectives = study_objectives(study);
    a->point = memory_new(study->space.count, sizeof *a->point);
    a->search = search_create(&study->search, &study->space);
    best_init(&a->best, a->objectives, study->search.maximize, study->space.count, false);
    inbox_queue_open(&a->queue, options->dir, &study->space);
    int failed = options->journal ? replay(a, options->journal, e) : 0;
    if (!failed)
        failed = options->journal ? journal_open(&a->journal, options->journal, e)
                                  : journal_create(&a->journal, options->dir, study, e);
    if (failed) {
        asktell_free(a);
        return failed;
    }
    journal_flushes(a->journal);
    if (!options->journal)
        failed = journal_write_copy(a->journal, study, e);
    a->offset = journal_began(a->journal) - clock_now();
    if (failed || earlier_begin(options->earlier, options->journal, a->space, a->search, a->journal,
                                options->dir, e)) {
        struct err late = {0};
        if (!options->journal)
            forget_study(options->dir);
        (void)!journal_close(a->journal, now(a), END_NONE, &late);
        asktell_free(a);
        return e->code;
    }
    journal_opened(a->journal, now(a), 1, options->trials, 0);
    *asktell = a;
    return 0;
}

int asktell_save(struct asktell *a, struct err *e)
{
    return journal_flush(a->journal, e);
}

/* As after an interruption: whoever asks again gets the same ids and parameters. */
static void interrupt(struct asktell *a)
{
    for (size_t i = 0; i < a->count; i++) {
        if (a->trials[i].state != ASKED_OPEN)
            continue;
        struct outcome result = outcome_not_started(now(a));
        result.started = a->places.times[a->trials[i].place];
        snprintf(result.reason, sizeof result.reason, "asked for, but no result was reported");
        journal_end(a->journal, i + 1, result.ended, worker_of(&a->trials[i]), &result, true);
    }
}

int asktell_close(struct asktell *a, struct err *e)
{
    enum journal_end end = a->exhausted ? END_EXHAUSTED : END_DONE;
    if (a->open > 0 || next_waiting(a))
        end = END_INTERRUPTED;
    interrupt(a);
    int failed = journal_close(a->journal, now(a), end, e);
    asktell_free(a);
    return failed;
}
