/* tell.c - the result of a trial, as the caller of wick asktell tells it. */
#include "asktell/tell.h"

#include <math.h>

static int read_id(struct json *j, double *id, struct err *e)
{
    if (json_peek(j) != JSON_NUMBER)
        return err_set(e, ERR_USER, "the 'id' of a trial must be a number without quotes");
    *id = json_number(j);
    return 0;
}

static int read_score(struct json *j, double *score, struct err *e)
{
    bool is_number = json_peek(j) == JSON_NUMBER;
    *score = is_number ? json_number(j) : (json_skip(j), NAN);
    if (isfinite(*score))
        return 0;
    return err_set(
        e, ERR_USER,
        "a score must be a finite number; for a trial without one, tell \"failed\": true");
}

static int read_scores(struct json *j, struct tell *tell, struct err *e)
{
    if (json_peek(j) != JSON_ARRAY) {
        json_skip(j);
        return err_set(e, ERR_USER, "'scores' must be a list of numbers, one per objective");
    }
    json_enter(j, '[');
    while (json_item(j)) {
        double score;
        if (read_score(j, &score, e))
            return e->code;
        if (tell->score_count < SEARCH_OBJECTIVES)
            tell->scores[tell->score_count] = score;
        tell->score_count++;
    }
    return 0;
}

static bool is_metric_name(struct slice name)
{
    size_t most = sizeof((struct outcome_metric *)0)->name - 1;
    for (size_t i = 0; i < name.length; i++)
        if ((unsigned char)name.text[i] < ' ' || name.text[i] == '\\')
            return false;
    return name.length > 0 && name.length <= most;
}

static int read_metrics(struct json *j, struct outcome *result, struct err *e)
{
    struct slice name;
    if (json_peek(j) != JSON_OBJECT)
        return err_set(e, ERR_USER, "'metrics' must be an object of numbers by name");
    json_enter(j, '{');
    while (json_key(j, &name)) {
        enum json_kind kind = json_peek(j);
        double value = kind == JSON_NUMBER ? json_number(j) : (json_skip(j), NAN);
        if (!is_metric_name(name) || (kind != JSON_NUMBER && kind != JSON_NULL))
            return err_set(e, ERR_USER,
                           "a metric must be a number with a name of at most %zu bytes and no \\",
                           sizeof result->metrics[0].name - 1);
        if (result->metric_count == OUTCOME_METRICS)
            return err_set(e, ERR_USER, "a trial has at most %d metrics", OUTCOME_METRICS);
        struct outcome_metric *metric = &result->metrics[result->metric_count++];
        snprintf(metric->name, sizeof metric->name, "%.*s", (int)name.length, name.text);
        metric->value = value;
    }
    return 0;
}

static int read_bool(struct json *j, const char *name, bool *value, struct err *e)
{
    enum json_kind kind = json_peek(j);
    json_skip(j);
    *value = kind == JSON_TRUE;
    if (kind == JSON_TRUE || kind == JSON_FALSE)
        return 0;
    return err_set(e, ERR_USER, "'%s' must be true or false", name);
}

static int read_reason(struct json *j, struct outcome *result, struct err *e)
{
    struct str text = {0};
    if (json_peek(j) != JSON_STRING)
        return err_set(e, ERR_USER, "'reason' must be a string");
    json_string(j, &text);
    snprintf(result->reason, sizeof result->reason, "%s", str_text(&text));
    for (char *at = result->reason; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' '; /* a reason is one line */
    str_free(&text);
    return 0;
}

static int read_key(struct json *j, struct slice key, struct tell *tell, struct outcome *result,
                    struct err *e)
{
    static const char *const keys[] = {"id",      "score",  "scores", "failed",
                                       "metrics", "reason", NULL};
    if (slice_is(key, "id"))
        return read_id(j, &tell->id, e);
    if (slice_is(key, "score")) {
        tell->score_count = 1;
        return read_score(j, &tell->scores[0], e);
    }
    if (slice_is(key, "scores")) {
        tell->score_count = 0;
        return read_scores(j, tell, e);
    }
    if (slice_is(key, "failed"))
        return read_bool(j, "failed", &tell->failed, e);
    if (slice_is(key, "metrics"))
        return read_metrics(j, result, e);
    if (slice_is(key, "reason"))
        return read_reason(j, result, e);
    return json_unknown_key(key, " in 'tell'", keys, e);
}

int tell_read(struct json *j, struct tell *tell, struct outcome *result, struct err *e)
{
    struct slice key;
    *tell = (struct tell){.id = NAN};
    result->metric_count = 0;
    result->reason[0] = 0;
    if (json_peek(j) != JSON_OBJECT)
        return err_set(e, ERR_USER,
                       "'tell' needs an object such as {\"id\": 1, \"score\": 0.3}, or a list of "
                       "them");
    json_enter(j, '{');
    while (json_key(j, &key))
        if (read_key(j, key, tell, result, e))
            return e->code;
    return 0;
}
