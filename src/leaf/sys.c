/* sys.c - the arguments of the script, the environment and the clock. */
#include "leaf/modules.h"

#include <math.h>
#include <time.h>

/* ---- arguments ---- */

/* -key=value, --key=value, -key or --key; the value of the last two is empty. */
struct flag {
    struct slice key, value;
};

/* False for anything else, which is a positional argument. */
static bool read_flag(const char *argument, struct flag *flag)
{
    size_t dashes = argument[0] != '-' ? 0 : argument[1] != '-' ? 1 : 2;
    const char *key = argument + dashes;
    size_t length = strcspn(key, "=");
    if (dashes == 0 || length == 0)
        return false;
    flag->key = (struct slice){key, length};
    flag->value = slice_of(key + length + (key[length] == '='));
    return true;
}

/* The flag with this key; of several, the last one. */
static bool find_flag(const struct leaf_call *call, struct slice key, struct flag *found)
{
    bool has = false;
    for (const char *const *argument = call->world->arguments; *argument; argument++) {
        struct flag flag;
        if (read_flag(*argument, &flag) && slice_equal(flag.key, key)) {
            *found = flag;
            has = true;
        }
    }
    return has;
}

static size_t count_positional(const struct leaf_call *call)
{
    struct flag ignored;
    size_t count = 0;
    for (const char *const *argument = call->world->arguments; *argument; argument++)
        count += !read_flag(*argument, &ignored);
    return count;
}

static int run_argc(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole((int64_t)count_positional(call)));
}

static int run_args(const struct leaf_call *call, struct err *e)
{
    struct str text = {0};
    (void)e;
    const char *const *all = call->world->arguments;
    for (size_t i = 0; all[i]; i++)
        str_printf(&text, "%s%s", i > 0 ? " " : "", all[i]);
    return leaf_give(call, leaf_take(&text, call->arena));
}

/* The keys of all flags, ended by NULL. */
static const char *const *flag_keys(const struct leaf_call *call)
{
    size_t count = 0;
    while (call->world->arguments[count])
        count++;
    const char **keys = arena_new(call->arena, count + 1, sizeof *keys);
    struct flag flag;
    for (size_t i = 0, to = 0; i < count; i++)
        if (read_flag(call->world->arguments[i], &flag))
            keys[to++] = arena_copy(call->arena, flag.key.text, flag.key.length);
    return keys;
}

static int run_argv(const struct leaf_call *call, struct err *e)
{
    struct flag flag;
    struct slice key = call->inputs[0].text;
    if (find_flag(call, key, &flag))
        return leaf_give(call, leaf_text(flag.value));
    if (call->input_count > 1)
        return leaf_give(call, call->inputs[1]);
    const char *name = leaf_excerpt(key, call->arena);
    const char *nearest = str_nearest(name, flag_keys(call));
    if (nearest)
        return err_set(e, ERR_USER,
                       "argv(): The command line did not provide '%s', but it has '%s'", name,
                       nearest);
    return err_set(e, ERR_USER,
                   "argv(): The command line did not provide '%s': add -%s=VALUE after the script",
                   name, name);
}

static int run_argv_contains(const struct leaf_call *call, struct err *e)
{
    struct flag ignored;
    (void)e;
    return leaf_give(call, leaf_truth(find_flag(call, call->inputs[0].text, &ignored)));
}

/* -5 and -0.5 look like flags, but mean numbers. */
static bool is_number(const char *key)
{
    double number;
    return strchr("0123456789.", *key) && str_number(key, &number);
}

static bool is_accepted(const struct leaf_call *call, const char *key)
{
    for (size_t i = 0; i < call->input_count; i++)
        if (slice_is(call->inputs[i].text, key))
            return true;
    return is_number(key);
}

static int refuse(const struct leaf_call *call, const char *key, struct err *e)
{
    const char **words = arena_new(call->arena, call->input_count + 1, sizeof *words);
    struct str list = {0};
    for (size_t i = 0; i < call->input_count; i++) {
        struct slice word = call->inputs[i].text;
        words[i] = arena_copy(call->arena, word.text, word.length);
        str_printf(&list, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    const char *nearest = str_nearest(key, words);
    if (nearest)
        err_set(e, ERR_USER, "argv_accept(): unknown argument '%s': did you mean '%s'?", key,
                nearest);
    else
        err_set(e, ERR_USER, "argv_accept(): unknown argument '%s': the script accepts %s", key,
                list.length > 0 ? list.text : "none");
    str_free(&list);
    return ERR_USER;
}

static int run_argv_accept(const struct leaf_call *call, struct err *e)
{
    for (const char *const *key = flag_keys(call); *key; key++)
        if (!is_accepted(call, *key))
            return refuse(call, *key, e);
    return 0;
}

static int run_argp(const struct leaf_call *call, struct err *e)
{
    struct flag ignored;
    int64_t wanted = call->inputs[0].whole, left = wanted;
    if (wanted < 0)
        return err_set(e, ERR_USER, "argp(%lld): arguments are numbered from 1", (long long)wanted);
    if (wanted == 0)
        return leaf_give(call, leaf_text(slice_of(call->world->program)));
    for (const char *const *argument = call->world->arguments; *argument; argument++)
        if (!read_flag(*argument, &ignored) && --left == 0)
            return leaf_give(call, leaf_text(slice_of(*argument)));
    if (call->input_count > 1)
        return leaf_give(call, call->inputs[1]);
    size_t count = count_positional(call);
    return err_set(e, ERR_USER, "argp(%lld): there %s only %zu argument%s", (long long)wanted,
                   count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
}

static int run_getenv(const struct leaf_call *call, struct err *e)
{
    struct slice name = call->inputs[0].text;
    const char *value = getenv(arena_copy(call->arena, name.text, name.length));
    (void)e;
    return leaf_give(call, leaf_text(slice_of(value ? value : "")));
}

/* ---- the clock ---- */

/* In whole milliseconds, as the language has it. */
static int run_clock(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_number(floor(clock_wall() * 1000) / 1000));
}

static int run_clock_seconds(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole((int64_t)clock_wall()));
}

/* Appends a time; false if the text would be longer than a limit. */
static bool add_time(struct str *text, const char *format, const struct tm *time)
{
    enum { TIME_LIMIT = 65536 }; /* bytes */
    for (size_t room = 256; room <= TIME_LIMIT; room *= 4) {
        str_reserve(text, room);
        size_t length = strftime(text->text, room, format, time);
        text->length = length;
        if (length > 0)
            return true;
    }
    return false;
}

static int run_clock_format(const struct leaf_call *call, struct err *e)
{
    const struct leaf_value *when = &call->inputs[1];
    double seconds = when->kind == LEAF_INT ? (double)when->whole : round(when->number);
    struct slice format = call->inputs[0].text;
    struct str text = {0};
    struct tm parts;
    enum { SECONDS_LIMIT = 253402300800 }; /* the year 10000 */
    if (!(fabs(seconds) < SECONDS_LIMIT))
        return err_set(e, ERR_USER, "clock_format: %g seconds is no time before the year 10000",
                       seconds);
    time_t whole = (time_t)seconds;
    localtime_r(&whole, &parts);
    /* An empty result would look like one that is too long, so a byte comes first. */
    const char *marked =
        arena_printf(call->arena, ".%.*s", (int)format.length, format.length ? format.text : "");
    if (!add_time(&text, marked, &parts)) {
        str_free(&text);
        return err_set(e, ERR_USER, "clock_format: the text would be too long");
    }
    str_drop(&text, 1);
    return leaf_give(call, leaf_take(&text, call->arena));
}

static int run_int_max(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole(INT64_MAX));
}

const struct leaf_function leaf_sys[] = {
    {"argc", LEAF_AT_ONCE, run_argc},
    {"args", LEAF_AT_ONCE, run_args},
    {"argv", LEAF_AT_ONCE, run_argv},
    {"argv_contains", LEAF_AT_ONCE, run_argv_contains},
    {"argv_accept", LEAF_AT_ONCE, run_argv_accept},
    {"argp", LEAF_AT_ONCE, run_argp},
    {"getenv", LEAF_AT_ONCE, run_getenv},
    {"clock", LEAF_AT_ONCE, run_clock},
    {"clock_seconds", LEAF_AT_ONCE, run_clock_seconds},
    {"clock_format", LEAF_AT_ONCE, run_clock_format},
    {"INT_MAX", LEAF_AT_ONCE, run_int_max},
    {0},
};
