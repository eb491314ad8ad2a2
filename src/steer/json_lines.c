/*
 * json_lines.c - lines of JSON with a program that suggests: `wick asktell` the other way round.
 *
 *   Wick                                              program
 *     ── {"hello": {space, settings, ...}} ──────────▶
 *     ── {"tell": {...}} ────────────────────────────▶  the past, when the study is resumed
 *     ── {"ask": 2} ─────────────────────────────────▶  two workers are idle
 *     ◀────────── {"suggest": [{...}, {...}]} ─────────  or {"wait": true}, {"end": true}
 *     ── {"tell": {"id": 1, "params", "score", ...}} ▶
 *     ── {"end": "why"} and the end of its input ────▶
 *
 * A question is asked when the last one was answered; after {"wait": true}, when there is a new
 * result.
 */
#include "steer/protocol.h"

#include <ctype.h>
#include <math.h>

enum { LINE = 16 << 20, BACKLOG = 1 << 30, TAG = 4096 };

struct json_lines {
    bool asked;  /* a question has not been answered yet */
    bool waits;  /* it wants a result before it suggests more */
    char **tags; /* by suggestion, from 1; NULL: none */
    size_t tag_capacity;
    uint64_t line; /* number of its last line of output, from 1 */
};

static void tell(struct steer *s, struct str *line)
{
    str_add_char(line, '\n');
    program_tell(s->program, line->text, line->length);
    str_free(line);
    if (program_backlog(s->program) > BACKLOG)
        steer_fail(s, "does not read its input: more than 1 GiB is waiting");
}

/* ---- hello ---- */

static void set_value(struct str *t, const char *key, const struct parameter *p, double value)
{
    json_add_key(t, key);
    space_put_value(p, value, t);
}

/* The first `count` values of a parameter, or those given. */
static void add_values(struct str *t, const struct parameter *p, const double *values, size_t count)
{
    str_add_char(t, '[');
    for (size_t i = 0; i < count; i++) {
        json_comma(t);
        space_put_value(p, values ? values[i] : (double)i, t);
    }
    json_end_array(t);
}

static void add_when(struct str *t, const struct space *space, const struct parameter *p)
{
    json_set_object(t, "when");
    for (size_t i = 0; i < p->when_count; i++) {
        const struct parameter *parent = &space->parameters[p->when[i].parameter];
        json_add_name(t, parent->name);
        add_values(t, parent, p->when[i].values, p->when[i].count);
    }
    json_end_object(t);
}

static void add_parameter(struct str *t, const struct space *space, const struct parameter *p)
{
    static const char *const kinds[] = {"float", "int", "choice", "ordered", "constant"};
    json_add_object(t);
    json_set_text(t, "name", p->name);
    json_set_text(t, "kind", kinds[p->kind]); /* a flag is a choice of true and false */
    if (p->kind == PARAMETER_FLOAT || p->kind == PARAMETER_INT) {
        json_set_number(t, "low", p->low);
        json_set_number(t, "high", p->high);
        json_set_bool(t, "log", p->log);
        if (p->step > 0)
            json_set_number(t, "step", p->step);
    } else if (p->kind == PARAMETER_CONSTANT) {
        set_value(t, "value", p, 0);
    } else {
        json_add_key(t, "values");
        add_values(t, p, NULL, p->value_count);
    }
    if (!isnan(p->fallback))
        set_value(t, "default", p, p->fallback);
    if (p->when_count > 0)
        add_when(t, space, p);
    json_end_object(t);
}

static void say_hello(struct steer *s)
{
    const struct study *study = s->study;
    struct str t = {0};
    json_add_object(&t);
    json_set_object(&t, "hello");
    json_set_text(&t, "study", study->name);
    json_set_raw(&t, "settings", study->steer.settings ? study->steer.settings : "null");
    json_set_array(&t, "space");
    for (size_t i = 0; i < study->space.count; i++)
        add_parameter(&t, &study->space, &study->space.parameters[i]);
    json_end_array(&t);
    json_set_array(&t, "objectives");
    for (size_t i = 0; i < study_objectives(study); i++) {
        json_add_object(&t);
        json_set_text(&t, "name", study_objective_name(study, i));
        json_set_text(&t, "direction", study->search.maximize[i] ? "maximize" : "minimize");
        json_end_object(&t);
    }
    json_end_array(&t);
    json_set_whole(&t, "seed", study->search.seed);
    if (s->setup.trials > 0)
        json_set_whole(&t, "trials", s->setup.trials);
    else
        json_set_null(&t, "trials");
    json_set_whole(&t, "workers", s->setup.workers);
    json_set_whole(&t, "past", s->past);
    str_add(&t, "}}");
    tell(s, &t);
}

/* ---- results ---- */

/* Leaves two objects open, so that members can follow. */
static void add_result(struct str *t, const struct steer *s, uint64_t id, const double *point,
                       const struct outcome *result)
{
    json_add_object(t);
    json_set_object(t, "tell");
    json_set_whole(t, "id", id);
    json_add_key(t, "params");
    space_put_json(&s->study->space, point, t);
    json_set_text(t, "state", outcome_state_name(result->state));
    json_set_number(t, "score", outcome_scored(result) ? result->score : NAN);
    if (result->score_count > 0)
        json_set_numbers(t, "scores", result->scores, result->score_count);
    if (result->violation > 0)
        json_set_number(t, "violation", result->violation);
    if (result->metric_count > 0)
        json_set_object(t, "metrics");
    for (size_t i = 0; i < result->metric_count; i++) {
        json_add_name(t, result->metrics[i].name);
        json_add_number(t, result->metrics[i].value);
    }
    if (result->metric_count > 0)
        json_end_object(t);
    if (result->reason[0])
        json_set_text(t, "reason", result->reason);
    json_set_printf(t, "seconds", "%.6g", result->ended - result->started);
}

static void told(struct steer *s, const struct steer_trial *trial, const struct outcome *result)
{
    struct json_lines *l = s->state;
    struct str t = {0};
    add_result(&t, s, trial->id, trial->point, result);
    if (trial->suggestion && l->tags[trial->suggestion]) {
        json_set_raw(&t, "tag", l->tags[trial->suggestion]);
        free(l->tags[trial->suggestion]);
        l->tags[trial->suggestion] = NULL;
    }
    str_add(&t, "}}");
    tell(s, &t);
    l->waits = false;
}

/* Tells of the results so far. Trials that run again are told when they have ended. */
static int tell_past(struct steer *s, const struct journal *journal, struct err *e)
{
    struct outcome result = {0};
    double *point = memory_new(journal->study.space.count + 1, sizeof *point);
    for (size_t k = 0; k < journal->completion_count && !e->code; k++) {
        uint32_t i = journal->completions[k];
        if (s->setup.owner.runs(s->setup.owner.self, i + 1) ||
            journal_point(journal, i, point, e) || journal_result(journal, i, &result, e))
            continue;
        outcome_judge(&journal->study, point, &result);
        struct str t = {0};
        add_result(&t, s, i + 1, point, &result);
        json_set_bool(&t, "past", true);
        str_add(&t, "}}");
        tell(s, &t);
    }
    outcome_free(&result);
    free(point);
    return e->code;
}

/* ---- suggestions ---- */

static void keep_tag(struct json_lines *l, uint64_t suggestion, struct slice tag)
{
    size_t before = l->tag_capacity;
    l->tags = memory_grow(l->tags, &l->tag_capacity, (size_t)suggestion + 1, sizeof *l->tags);
    memset(l->tags + before, 0, (l->tag_capacity - before) * sizeof *l->tags);
    if (tag.length == 0)
        return;
    l->tags[suggestion] = memory_new(tag.length + 1, 1);
    memcpy(l->tags[suggestion], tag.text, tag.length);
}

/* Opens {"params": {...}, "tag": ...}; a suggestion may also be the parameters alone. */
static bool open_item(struct steer *s, struct slice *item, struct slice *tag)
{
    static const char *const keys[] = {"params", "tag", NULL};
    struct json j;
    struct slice key, params = {0};
    struct err e = {0};
    json_open(&j, item->text, item->length);
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        struct slice value = json_raw(&j);
        if (slice_is(key, "params"))
            params = value;
        else if (slice_is(key, "tag"))
            *tag = value;
        else if (params.text && json_unknown_key(key, " beside 'params'", keys, &e))
            break;
    }
    if (e.code || tag->length > TAG) {
        steer_fail(s, "made an invalid suggestion in line %llu: %s",
                   (unsigned long long)((struct json_lines *)s->state)->line,
                   e.code ? e.message : "a 'tag' may have at most 4096 bytes");
        return false;
    }
    if (params.text)
        *item = params;
    else
        *tag = (struct slice){0}; /* it was a parameter */
    return true;
}

static bool accept_suggestion(struct steer *s, struct slice item)
{
    struct json_lines *l = s->state;
    const struct space *space = &s->study->space;
    struct slice tag = {0}, whole = item;
    struct err e = {0};
    if (!space_find(space, "params") && !open_item(s, &item, &tag))
        return false;
    double *point = memory_new(space->count + 1, sizeof *point);
    int failed = suggestion_read(space, item, point, &e);
    if (failed)
        steer_fail(
            s, "made a suggestion that is not a trial of this study: %s\nIt is in line %llu: %.*s",
            e.message, (unsigned long long)l->line,
            (int)(whole.length < SUGGESTION_SHOWN ? whole.length : SUGGESTION_SHOWN), whole.text);
    else if (search_offered(s->setup.search) >= STEER_WAITING)
        failed =
            (steer_fail(s, "made more than %d suggestions that nobody asked for", STEER_WAITING),
             ERR_USER);
    if (!failed) {
        keep_tag(l, ++s->suggestions, tag);
        steer_offer(s, point, s->suggestions);
    }
    free(point);
    return !failed;
}

static bool accept_suggestions(struct steer *s, struct json *j)
{
    if (json_peek(j) == JSON_OBJECT)
        return accept_suggestion(s, json_raw(j));
    if (json_peek(j) != JSON_ARRAY) {
        steer_fail(s, "gave an invalid answer in line %llu: 'suggest' must be a list of objects",
                   (unsigned long long)((struct json_lines *)s->state)->line);
        return false;
    }
    json_enter(j, '[');
    while (json_item(j))
        if (!accept_suggestion(s, json_raw(j)))
            return false;
    return true;
}

/* ---- its lines ---- */

/* What a line says. */
struct answer {
    bool suggests, waits, ends;
};

static bool read_key(struct steer *s, struct json *j, struct slice key, struct answer *answer)
{
    static const char *const keys[] = {"suggest", "wait", "end", "final", NULL};
    struct err e = {0};
    if (slice_is(key, "suggest")) {
        answer->suggests = true;
        return accept_suggestions(s, j);
    }
    struct slice value = json_raw(j);
    if (slice_is(key, "wait"))
        answer->waits = !slice_is(value, "false");
    else if (slice_is(key, "end"))
        answer->ends = !slice_is(value, "false");
    else if (slice_is(key, "final"))
        steer_keep_final(s, value);
    else if (json_unknown_key(key, "", keys, &e))
        steer_fail(s, "gave an invalid answer in line %llu: %s",
                   (unsigned long long)((struct json_lines *)s->state)->line, e.message);
    return e.code == 0;
}

static void act_on(struct steer *s, const struct answer *answer, uint64_t before)
{
    struct json_lines *l = s->state;
    bool gave = s->suggestions > before;
    if (answer->suggests || answer->waits || answer->ends)
        l->asked = false;
    l->waits = l->waits || answer->waits || (answer->suggests && !gave);
    if (answer->ends) {
        steer_close(s);
        return;
    }
    if (l->waits && !steer_look(s).busy && search_offered(s->setup.search) == 0) {
        steer_fail(s, "waits for a result, but no trial is running: it must suggest one, or say "
                      "{\"end\": true}");
        return;
    }
    steer_feed(s);
}

static void read_line(struct steer *s, struct slice line)
{
    struct json_lines *l = s->state;
    struct answer answer = {0};
    struct json j;
    struct slice key;
    uint64_t before = s->suggestions;
    bool good = true;
    json_open(&j, line.text, line.length);
    if (json_peek(&j) == JSON_NOTHING && !j.error)
        return;
    json_enter(&j, '{');
    while (good && json_key(&j, &key))
        good = read_key(s, &j, key, &answer);
    const char *wrong = good ? json_close(&j) : NULL;
    if (wrong)
        steer_fail(
            s,
            "wrote a line that is not a JSON object (%s): output that is not for Wick belongs "
            "on standard error\nIt is line %llu: %.*s",
            wrong, (unsigned long long)l->line,
            (int)(line.length < SUGGESTION_SHOWN ? line.length : SUGGESTION_SHOWN), line.text);
    else if (good)
        act_on(s, &answer, before);
}

static void said(struct steer *s)
{
    struct json_lines *l = s->state;
    size_t at = 0;
    const char *newline;
    while (!steer_look(s).failed && s->input.length > at &&
           (newline = memchr(s->input.text + at, '\n', s->input.length - at))) {
        struct slice line = {s->input.text + at, (size_t)(newline - s->input.text) - at};
        l->line++;
        read_line(s, line);
        at += line.length + 1;
    }
    str_drop(&s->input, at);
    if (s->input.length > LINE)
        steer_fail(s, "wrote a line of more than %d MiB", LINE >> 20);
}

/* ---- the protocol ---- */

static void started(struct steer *s)
{
    const struct journal *journal = s->setup.journal;
    struct err e = {0};
    s->state = memory_new(1, sizeof(struct json_lines));
    if (!s->running)
        return;
    say_hello(s);
    if (journal && tell_past(s, journal, &e))
        steer_fail(s, "cannot continue: %s", e.message);
}

static void wanted(struct steer *s, size_t count)
{
    struct json_lines *l = s->state;
    uint64_t left = steer_left(s);
    if (l->asked || l->waits || left == 0 || s->dismissed)
        return;
    struct str t = {0};
    l->asked = true;
    json_add_object(&t);
    json_set_whole(&t, "ask", count < left ? count : left);
    json_end_object(&t);
    tell(s, &t);
}

static bool is_needed(const struct steer *s)
{
    (void)s;
    return false;
}

static void out_of_grace(void *argument)
{
    struct steer *s = argument;
    program_stop(s->program);
}

static void dismiss(struct steer *s)
{
    struct str t = {0};
    s->dismissed = true;
    json_add_object(&t);
    json_set_text(&t, "end", steer_look(s).end);
    json_end_object(&t);
    tell(s, &t);
    program_hang_up(s->program);
    comm_after(s->comm, s->study->model.grace, out_of_grace, s);
}

static void free_state(struct steer *s)
{
    struct json_lines *l = s->state;
    for (size_t i = 0; l && i < l->tag_capacity; i++)
        free(l->tags[i]);
    if (l)
        free(l->tags);
    free(l);
}

const struct steer_protocol json_lines_protocol = {
    .end_word = "{\"end\": true}",
    .started = started,
    .said = said,
    .wanted = wanted,
    .told = told,
    .is_needed = is_needed,
    .dismiss = dismiss,
    .free = free_state,
};
