/* message.c - read one message of a program. */
#include "trial/message.h"

#include <math.h>

enum behind { VALUE_WHOLE, VALUE_KEY, VALUE_METRICS };

/* The key of each kind, the type of its value, and the other key that goes with it. */
static const struct form {
    const char *name;
    const char *other; /* NULL: nothing */
    enum behind value;
    bool needed; /* the other key is required */
} forms[] = {
    [MESSAGE_HELLO] = {"hello", "try", VALUE_WHOLE, true},
    [MESSAGE_STEP] = {"step", "metrics", VALUE_WHOLE, false},
    [MESSAGE_STOP] = {"stop", NULL, VALUE_WHOLE, false},
    [MESSAGE_RESULT] = {"result", NULL, VALUE_METRICS, false},
    [MESSAGE_PUT] = {"put", "bytes", VALUE_KEY, true},
    [MESSAGE_GET] = {"get", NULL, VALUE_KEY, false},
    [MESSAGE_WAIT] = {"wait", "known", VALUE_KEY, false},
    [MESSAGE_DELETE] = {"delete", NULL, VALUE_KEY, false},
    [MESSAGE_LIST] = {"list", NULL, VALUE_KEY, false},
};
enum { FORMS = sizeof forms / sizeof *forms };

static const char *const words[] = {"hello",   "step",  "stop",   "result", "put",
                                    "get",     "wait",  "delete", "list",   "try",
                                    "metrics", "bytes", "known",  "secret", NULL};

static const double MOST = 9007199254740992.0; /* whole numbers are exact up to here */

static int read_whole(struct json *j, struct slice key, uint64_t *whole, struct err *e)
{
    double number = json_peek(j) == JSON_NUMBER ? json_number(j) : -1;
    if (!(number >= 0 && number <= MOST && number == floor(number)))
        return err_set(e, ERR_USER, "\"%.*s\" must be a whole number", (int)key.length, key.text);
    *whole = (uint64_t)number;
    return 0;
}

/* Words for numbers that JSON does not have; some languages write NaN as null. */
static int read_metric(struct json *j, const char *name, double *value, struct err *e)
{
    static const struct {
        const char *text;
        double value;
    } specials[] = {
        {"\"nan\"", NAN}, {"\"inf\"", INFINITY}, {"\"-inf\"", -INFINITY}, {"null", NAN}};
    if (json_peek(j) == JSON_NUMBER) {
        *value = json_number(j);
        return 0;
    }
    struct slice raw = json_raw(j);
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        *value = specials[i].value;
        if (slice_is(raw, specials[i].text))
            return 0;
    }
    return err_set(e, ERR_USER,
                   "the metric '%s' must be a number, or one of \"nan\", \"inf\", \"-inf\"", name);
}

/*
 * The place of one more metric than there is room for: that of the last one that may go, or of the
 * same name behind it. NULL: it is left out itself.
 */
static struct outcome_metric *make_room(struct message *m, const char *name)
{
    m->left_out++;
    if (!m->is_wanted || !m->is_wanted(m->self, name))
        return NULL;
    for (size_t i = m->metric_count; i-- > 0;)
        if (strcmp(m->metrics[i].name, name) == 0 || !m->is_wanted(m->self, m->metrics[i].name))
            return &m->metrics[i];
    return NULL;
}

static void add_metric(struct message *m, const char *name, size_t length, double value)
{
    struct outcome_metric *metric;
    if (m->metric_count < MESSAGE_METRICS) {
        m->metrics =
            memory_grow(m->metrics, &m->metric_capacity, m->metric_count + 1, sizeof *m->metrics);
        metric = &m->metrics[m->metric_count++];
    } else {
        metric = make_room(m, name);
    }
    if (metric) {
        memcpy(metric->name, name, length + 1); /* it fits, as read_metrics() has seen */
        metric->value = value;
    }
}

static int read_metrics(struct json *j, struct message *m, struct err *e)
{
    struct str name = {0};
    struct slice key;
    int failed = 0;
    json_enter(j, '{');
    while (!failed && json_key(j, &key)) {
        double value = 0;
        json_unescape(key, &name);
        size_t length = strlen(name.text);
        if (length == 0 || length >= sizeof m->metrics->name)
            failed = err_set(e, ERR_USER, "the name of a metric has 1 to %d bytes, '%s' has %zu",
                             (int)sizeof m->metrics->name - 1, name.text, length);
        else
            failed = read_metric(j, name.text, &value, e);
        if (!failed)
            add_metric(m, name.text, length, value);
    }
    str_free(&name);
    return failed;
}

static int read_value(struct json *j, struct message *m, struct slice name, enum behind value,
                      struct err *e)
{
    enum json_kind kind = json_peek(j);
    if (value == VALUE_WHOLE)
        return read_whole(j, name, &m->number, e);
    if (value == VALUE_METRICS && kind == JSON_OBJECT)
        return read_metrics(j, m, e);
    if (value == VALUE_KEY && kind == JSON_STRING) {
        json_string(j, &m->key);
        if (m->key.length <= MESSAGE_KEY)
            return 0;
        str_free(&m->key);
        return err_set(e, ERR_USER, "a key has at most %d bytes", MESSAGE_KEY);
    }
    return err_set(e, ERR_USER, "\"%.*s\" must be %s", (int)name.length, name.text,
                   value == VALUE_KEY ? "a string" : "an object of metrics");
}

static int unknown_word(struct slice key, struct err *e)
{
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)key.length, key.text);
    const char *near = str_nearest(word, words);
    return near ? err_set(e, ERR_USER, "unknown key \"%s\": did you mean \"%s\"?", word, near)
                : err_set(e, ERR_USER, "unknown key \"%s\"", word);
}

static int read_secret(struct json *j, struct slice key, struct message *m, struct err *e)
{
    if (m->has_secret)
        return err_set(e, ERR_USER, "it has two of \"secret\"");
    m->has_secret = true;
    return read_whole(j, key, &m->secret, e);
}

/* Reads what belongs to one key; *other is the key that goes with the kind, when it was there. */
static int read_field(struct json *j, struct slice key, struct message *m, const char **other,
                      struct err *e)
{
    static const char *const others[] = {"try", "bytes", "known", "metrics"};
    for (int kind = MESSAGE_HELLO; kind < FORMS; kind++) {
        if (!slice_is(key, forms[kind].name))
            continue;
        if (m->kind != MESSAGE_NONE)
            return err_set(e, ERR_USER, "it is both a \"%s\" and a \"%s\"", forms[m->kind].name,
                           forms[kind].name);
        m->kind = (enum message_kind)kind;
        return read_value(j, m, key, forms[kind].value, e);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!slice_is(key, others[i]))
            continue;
        if (*other)
            return err_set(e, ERR_USER, "it has both a \"%s\" and a \"%s\"", *other, others[i]);
        *other = others[i];
        return slice_is(key, "metrics") ? read_value(j, m, key, VALUE_METRICS, e)
                                        : read_whole(j, key, &m->second, e);
    }
    return slice_is(key, "secret") ? read_secret(j, key, m, e) : unknown_word(key, e);
}

static int check_form(const struct message *m, const char *other, struct err *e)
{
    const struct form *form = &forms[m->kind];
    if (m->kind == MESSAGE_NONE)
        return err_set(e, ERR_USER,
                       "it has none of hello, step, stop, result, put, get, wait, "
                       "delete, list");
    if (other && (!form->other || strcmp(other, form->other) != 0))
        return err_set(e, ERR_USER, "a \"%s\" takes no \"%s\"", form->name, other);
    if (!other && form->needed)
        return err_set(e, ERR_USER, "a \"%s\" needs a \"%s\"", form->name, form->other);
    if (m->has_secret && m->kind != MESSAGE_HELLO)
        return err_set(e, ERR_USER, "a \"%s\" takes no \"secret\"", form->name);
    if (!m->has_secret && m->kind == MESSAGE_HELLO)
        return err_set(e, ERR_USER, "a \"hello\" needs a \"secret\", the value of WICK_SECRET");
    return 0;
}

int message_read(struct message *m, const char *text, size_t length, struct err *e)
{
    struct json j;
    struct slice key;
    const char *other = NULL;
    int failed = 0;
    m->kind = MESSAGE_NONE;
    m->number = m->second = m->secret = 0;
    m->has_secret = false;
    m->metric_count = m->left_out = 0;
    str_clear(&m->key);
    json_open(&j, text, length);
    json_enter(&j, '{');
    while (!failed && json_key(&j, &key))
        failed = read_field(&j, key, m, &other, e);
    /* When the JSON is broken, that is the cause of all else. */
    const char *broken = failed && !j.error ? NULL : json_close(&j);
    if (broken)
        failed = err_set(e, ERR_USER, "it is not JSON: %s", broken);
    else if (!failed)
        failed = check_form(m, other, e);
    if (failed)
        err_wrap(e, "the message %.*s%s", (int)(length < 60 ? length : 60), text,
                 length < 60 ? "" : "...");
    return failed;
}

void message_free(struct message *m)
{
    str_free(&m->key);
    free(m->metrics);
}
