/*
 * queues.c - the queues of EMEWS, EQ/Py and EQ/R: a module that decides by itself when it talks.
 *
 *   module                                   Wick
 *     ── Params (any word) ─────────────────▶
 *     ◀───────────────── the settings, a text
 *     ── {...};{...};{...} ────────────────▶   a round of suggestions: see notation.c
 *     ◀─────────── 0.31;NaN;0.29, their scores, when all of them have ended
 *     ── DONE ──────────────────────────────▶   and then texts for the user, which are kept
 *     ── EQPY_ABORT or EQR_ABORT, traceback ▶   it died
 *
 * Between the interpreter and Wick each message is its length, in HEADER decimal digits, and its
 * bytes. The module blocks in both directions, so there is one round at a time, but nothing relies
 * on it: rounds are answered in their order.
 */
#include "steer/protocol.h"

#include <ctype.h>
#include <math.h>

enum { HEADER = 12 };

/* Suggestions that are answered together. */
struct round {
    uint64_t first; /* number of its first suggestion */
    size_t count, left;
    double *scores; /* as many as there are objectives per suggestion; NaN: failed */
};

struct queues {
    uint64_t heard; /* messages so far */
    struct round *rounds;
    size_t next, count, capacity;
    bool had_no_settings; /* it waited for settings, and got an empty text */
    bool aborted;         /* the next message is the traceback */
};

static void send_text(struct steer *s, const char *text, size_t length)
{
    char header[32];
    snprintf(header, sizeof header, "%0*zu", HEADER, length);
    program_tell(s->program, header, HEADER);
    program_tell(s->program, text, length);
}

/* ---- results ---- */

/* 17 digits: the module reads exactly the number that was measured. */
static void add_scores(struct str *text, const double *scores, size_t objectives)
{
    for (size_t i = 0; i < objectives; i++) {
        str_add(text, i ? "," : "");
        if (isnan(scores[i]))
            str_add(text, "NaN");
        else
            str_printf(text, "%.17g", scores[i]);
    }
}

static void answer_rounds(struct steer *s)
{
    struct queues *q = s->state;
    size_t objectives = study_objectives(s->study);
    for (; q->next < q->count && q->rounds[q->next].left == 0; q->next++) {
        struct round *round = &q->rounds[q->next];
        struct str text = {0};
        for (size_t i = 0; i < round->count; i++) {
            str_add(&text, i ? ";" : "");
            add_scores(&text, round->scores + i * objectives, objectives);
        }
        send_text(s, str_text(&text), text.length);
        str_free(&text);
        free(round->scores);
        round->scores = NULL;
    }
    if (q->next == q->count)
        q->next = q->count = 0;
}

/* Notes the scores of a suggestion; NULL: it failed. */
static void note_scores(struct steer *s, uint64_t suggestion, const double *scores)
{
    struct queues *q = s->state;
    size_t objectives = study_objectives(s->study), at = q->next;
    while (at < q->count && suggestion >= q->rounds[at].first + q->rounds[at].count)
        at++;
    if (at == q->count)
        BUG("nobody waits for suggestion %llu", (unsigned long long)suggestion);
    struct round *round = &q->rounds[at];
    double *own = round->scores + (suggestion - round->first) * objectives;
    for (size_t i = 0; i < objectives; i++)
        own[i] = scores ? scores[i] : NAN;
    round->left--;
}

static void told(struct steer *s, const struct steer_trial *trial, const struct outcome *result)
{
    bool good = outcome_scored(result);
    const double *scores = result->score_count > 0 ? result->scores : &result->score;
    if (study_objectives(s->study) > 1 && result->score_count == 0)
        good = false;
    if (trial->suggestion == 0) {
        /* From the user's queue, or of an earlier run and not suggested again yet. */
        recall_note(&s->recall, trial->id, good ? scores : NULL);
        return;
    }
    note_scores(s, trial->suggestion, good ? scores : NULL);
    answer_rounds(s);
}

/* ---- suggestions ---- */

/* True when an earlier run knows the result, or the trial runs already. */
static bool was_tried(struct steer *s, const double *point, uint64_t suggestion)
{
    uint64_t id = recall_next(&s->recall, point);
    if (id == 0)
        return false;
    const struct steer_owner *owner = &s->setup.owner;
    if (owner->runs(owner->self, id))
        owner->adopt(owner->self, id, suggestion);
    else
        note_scores(s, suggestion, recall_scores(&s->recall, id));
    return true;
}

/* The points of a round are read before any is tried: one that is wrong refuses them all. */
struct batch {
    double *points;
    size_t count, capacity;
};

static bool add_suggestion(struct steer *s, struct batch *batch, struct slice text)
{
    const struct space *space = &s->study->space;
    struct err e = {0};
    if (batch->count == STEER_WAITING) {
        steer_fail(s, "suggested more than %d trials at once", STEER_WAITING);
        return false;
    }
    batch->points = memory_grow(batch->points, &batch->capacity,
                                (batch->count + 1) * space->count + 1, sizeof *batch->points);
    double *point = batch->points + batch->count * space->count;
    bool is_object = text.length > 0 && text.text[0] == '{';
    if (is_object ? suggestion_read(space, text, point, &e)
                  : suggestion_read_row(space, text, point, &e)) {
        unsigned long long number = s->suggestions + batch->count + 1;
        steer_fail(
            s, "made a suggestion that is not a trial of this study: %s\nIt is number %llu: %.*s",
            e.message, number,
            (int)(text.length < SUGGESTION_SHOWN ? text.length : SUGGESTION_SHOWN), text.text);
        return false;
    }
    batch->count++;
    return true;
}

/* What is in a list. */
struct content {
    size_t count, nested; /* nested: objects and lists */
};

static struct content look_into(struct slice list)
{
    struct content content = {0};
    struct json j;
    json_open(&j, list.text, list.length);
    for (json_enter(&j, '['); json_item(&j); content.count++) {
        enum json_kind kind = json_peek(&j);
        content.nested += kind == JSON_OBJECT || kind == JSON_ARRAY;
        json_skip(&j);
    }
    return content;
}

/* True for a round of suggestions; other lists are the values of one suggestion. */
static bool is_round(const struct space *space, struct slice list)
{
    struct content content = look_into(list);
    return content.nested == content.count ||
           (suggestion_width(space) == 1 && content.count > 1 && content.count != space->count);
}

static bool add_item(struct steer *s, struct batch *batch, struct slice item)
{
    if (item.text[0] != '[' || !is_round(&s->study->space, item))
        return add_suggestion(s, batch, item);
    struct json j;
    json_open(&j, item.text, item.length);
    for (json_enter(&j, '['); json_item(&j);)
        if (!add_suggestion(s, batch, json_raw(&j)))
            return false;
    return true;
}

static bool read_round(struct steer *s, struct slice text, struct batch *batch)
{
    struct str json = {0};
    bool good = notation_read(text, suggestion_width(&s->study->space) > 1, &json);
    if (!good)
        steer_fail(s,
                   "put a text that is neither JSON objects separated by ;, as in "
                   "{\"x\": 1};{\"x\": 2}, nor rows of values, as in 1,2;3,4: %.*s",
                   (int)(text.length < SUGGESTION_SHOWN ? text.length : SUGGESTION_SHOWN),
                   text.text);
    const char *at = str_text(&json), *end = at + json.length;
    while (good && at < end) {
        struct json j;
        if (*at == ';' || isspace((unsigned char)*at)) {
            at++;
            continue;
        }
        json_open(&j, at, (size_t)(end - at));
        good = add_item(s, batch, json_raw(&j));
        at = j.at;
    }
    str_free(&json);
    return good;
}

static void offer_round(struct steer *s, const struct batch *batch)
{
    struct queues *q = s->state;
    size_t width = s->study->space.count, objectives = study_objectives(s->study);
    uint64_t first = s->suggestions + 1;
    q->rounds = memory_grow(q->rounds, &q->capacity, q->count + 1, sizeof *q->rounds);
    q->rounds[q->count++] = (struct round){
        .first = first,
        .count = batch->count,
        .left = batch->count,
        .scores = memory_new(batch->count * objectives + 1, sizeof(double)),
    };
    for (size_t i = 0; i < batch->count; i++) {
        const double *point = batch->points + i * width;
        s->suggestions++;
        if (!was_tried(s, point, s->suggestions))
            steer_offer(s, point, s->suggestions);
    }
    answer_rounds(s);
    steer_feed(s);
    s->setup.owner.changed(s->setup.owner.self); /* the budget of trials may be used up */
}

static void accept_round(struct steer *s, struct slice text)
{
    struct batch batch = {0};
    if (read_round(s, text, &batch))
        offer_round(s, &batch);
    free(batch.points);
}

/* ---- messages ---- */

static bool is_word(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!isalpha((unsigned char)text.text[i]) && !strchr(" _!", text.text[i]))
            return false;
    return text.length > 0;
}

/* True when a text without brackets may be meant as suggestions, right or wrong. */
static bool resembles_row(const struct space *space, struct slice text)
{
    struct str json = {0};
    struct json j;
    notation_read(text, suggestion_width(space) > 1, &json);
    json_open(&j, str_text(&json), json.length);
    struct slice row = json_raw(&j);
    bool resembles = !j.error && ((text.text[0] && strchr("0123456789+-.", text.text[0])) ||
                                  suggestion_resembles(space, row));
    str_free(&json);
    return resembles;
}

/*
 * Modules open with a text of their own ("Params", "Settings", "Hello, here is ...", or nothing at
 * all) and wait for the settings; some do so twice. Others start with a suggestion. So the first
 * text that cannot be meant as a suggestion is such an opening, and so is each word before the
 * first suggestion.
 */
static bool is_handshake(const struct steer *s, struct slice text)
{
    const struct queues *q = s->state;
    const struct space *space = &s->study->space;
    if (slice_is(text, "Params"))
        return true;
    if (s->suggestions > 0 || notation_has_brackets(text))
        return false;
    if (q->heard > 1 && (!is_word(text) || suggestion_width(space) == 1))
        return false;
    return !resembles_row(space, text);
}

/* A module that evaluates its settings dies of an empty text, and its message does not say why. */
static bool lacks_settings(const struct steer *s)
{
    const struct queues *q = s->state;
    return q->had_no_settings && s->suggestions == 0;
}

static void fail_with_traceback(struct steer *s, struct slice text)
{
    str_add_bytes(&s->last_words, text.text, text.length);
    struct slice last = slice_last_line(text);
    steer_fail(s, "died: %.*s%s", (int)(last.length < 400 ? last.length : 400), last.text,
               lacks_settings(s) ? "\nThe study gives it no settings: add `settings:` to `search`"
                                 : "");
}

static void send_settings(struct steer *s)
{
    struct queues *q = s->state;
    const char *settings = s->study->steer.settings;
    q->had_no_settings = !settings;
    send_text(s, settings ? settings : "", settings ? strlen(settings) : 0);
}

static void handle_message(struct steer *s, struct slice text)
{
    struct queues *q = s->state;
    q->heard++;
    if (q->aborted)
        fail_with_traceback(s, text);
    else if (slice_is(text, "EQPY_ABORT") || slice_is(text, "EQR_ABORT"))
        q->aborted = true;
    else if (s->closed)
        steer_keep_final(s, text);
    else if (slice_is(text, "DONE") || slice_is(text, "FINAL"))
        steer_close(s);
    else if (is_handshake(s, text))
        send_settings(s);
    else
        accept_round(s, text);
}

/* Reads the length of the message that starts at `at`; false when there is no header. */
static bool read_header(const char *at, size_t *length)
{
    *length = 0;
    for (int i = 0; i < HEADER; i++) {
        if (!isdigit((unsigned char)at[i]))
            return false;
        *length = *length * 10 + (size_t)(at[i] - '0');
    }
    return *length <= STEER_MESSAGE;
}

static void said(struct steer *s)
{
    size_t at = 0, length;
    while (!steer_look(s).failed && s->input.length - at >= HEADER) {
        if (!read_header(s->input.text + at, &length)) {
            steer_fail(s, "wrote to the pipe of its queues, or put a text of more than %d MiB",
                       STEER_MESSAGE >> 20);
            break;
        }
        if (s->input.length - at - HEADER < length)
            break;
        handle_message(s, (struct slice){s->input.text + at + HEADER, length});
        at += HEADER + length;
    }
    str_drop(&s->input, at < s->input.length ? at : s->input.length);
}

/* ---- the protocol ---- */

static void started(struct steer *s)
{
    const struct journal *journal = s->setup.journal;
    struct err e = {0};
    s->state = memory_new(1, sizeof(struct queues));
    if (journal && recall_open(&s->recall, journal, &e))
        steer_fail(s, "cannot continue: %s", e.message);
}

static void wanted(struct steer *s, size_t count)
{
    (void)s;
    (void)count; /* it suggests when it wants to */
}

/* It has all answers and is thinking: the next message may be DONE, and what it found. */
static bool is_needed(const struct steer *s)
{
    const struct queues *q = s->state;
    return !s->closed && q->next == q->count;
}

/* After DONE it may still have something to say, or to write. */
static void dismiss(struct steer *s)
{
    if (s->closed && steer_look(s).going) {
        steer_wait(s);
        return;
    }
    s->dismissed = true;
    program_stop(s->program);
}

static void free_state(struct steer *s)
{
    struct queues *q = s->state;
    for (size_t i = 0; q && i < q->count; i++)
        free(q->rounds[i].scores);
    if (q)
        free(q->rounds);
    free(q);
}

const struct steer_protocol queues_protocol = {
    .end_word = "DONE",
    .started = started,
    .said = said,
    .wanted = wanted,
    .told = told,
    .is_needed = is_needed,
    .dismiss = dismiss,
    .free = free_state,
};
