/*
 * trial.c - `wick trial`: the trial library for the shell.
 *
 * Each call is a process of its own that sends one message over the trial socket
 * (docs/trial-socket.md), through the same wick_trial.h that programs in C use.
 */
#include "cli/cli.h"
#include "wick_trial.h"

#include <math.h>

enum { VALUE_LIMIT = 1 << 30, NAME_LIMIT = 47 };

struct words {
    const char *const *word; /* the words after the verb, ended by NULL */
    size_t count;
};

/* ---- metrics ---- */

static int read_metric(const char *word, struct wick_metric *metric, struct arena *arena,
                       struct err *e)
{
    size_t length = strcspn(word, "=");
    if (length == 0 || !word[length] || !str_number(word + length + 1, &metric->value))
        return err_set(e, ERR_USER, "'%s': a metric is NAME=NUMBER, as in val_loss=0.41", word);
    if (length > NAME_LIMIT)
        return err_set(e, ERR_USER, "'%s': the name of a metric has at most %d bytes", word,
                       NAME_LIMIT);
    metric->name = arena_copy(arena, word, length);
    return 0;
}

static int read_metrics(struct words words, struct wick_metric *metrics, struct arena *arena,
                        struct err *e)
{
    if (words.count > OUTCOME_METRICS)
        return err_set(e, ERR_USER, "%zu metrics given; the limit is %d", words.count,
                       OUTCOME_METRICS);
    for (size_t i = 0; i < words.count; i++)
        if (read_metric(words.word[i], &metrics[i], arena, e))
            return e->code;
    return 0;
}

static int run_report(struct words words, struct arena *arena, struct err *e)
{
    struct wick_metric metrics[OUTCOME_METRICS] = {{0}};
    double step;
    if (!str_number(words.word[0], &step) || !(step >= 0 && step < 1e15) || floor(step) < step)
        return err_set(e, ERR_USER, "'%s': a step is a whole number, counted from 1",
                       words.word[0]);
    struct words rest = {words.word + 1, words.count - 1};
    if (!read_metrics(rest, metrics, arena, e))
        wick_report_metrics((long)step, metrics, rest.count);
    return e->code ? 2 : 0;
}

static int run_result(struct words words, struct arena *arena, struct err *e)
{
    struct wick_metric metrics[OUTCOME_METRICS] = {{0}};
    if (!read_metrics(words, metrics, arena, e))
        wick_result_metrics(metrics, words.count);
    return e->code ? 2 : 0;
}

/* A process that asks only once cannot number its questions: number 0 is not counted. */
static int run_should_stop(struct words words, struct arena *arena, struct err *e)
{
    (void)words, (void)arena, (void)e;
    return wick_should_stop_at_(0) ? 0 : 1;
}

/* ---- parameters ---- */

static void add_names(const char *params, struct str *names)
{
    struct json j;
    struct slice key;
    json_open(&j, params, strlen(params));
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        str_printf(names, "%s%.*s", names->length ? ", " : "", (int)key.length, key.text);
        json_skip(&j);
    }
}

static int lacks(const char *name, const char *params, struct err *e)
{
    struct str names = {0};
    if (!params)
        return err_set(
            e, ERR_USER,
            "not running in a trial (WICK_PARAMS is not set): give a default for '%s', as "
            "in `wick trial params %s 0.1`",
            name, name);
    add_names(params, &names);
    err_set(e, ERR_USER, "this trial has no parameter '%s'; it has: %s", name, str_text(&names));
    str_free(&names);
    return e->code;
}

static int run_params(struct words words, struct arena *arena, struct err *e)
{
    const char *params = getenv("WICK_PARAMS");
    (void)arena;
    if (words.count == 0) {
        puts(params ? params : "{}");
        return 0;
    }
    const char *value = wick_param_text(words.word[0], words.word[1]);
    if (value)
        puts(value);
    else
        lacks(words.word[0], params, e);
    return e->code ? 2 : 0;
}

static int run_checkpoint_dir(struct words words, struct arena *arena, struct err *e)
{
    (void)words, (void)arena;
    const char *folder = wick_checkpoint_dir();
    if (!folder)
        return err_set(e, ERR_SYSTEM, "%s", wick_error());
    puts(folder);
    return 0;
}

/* ---- the key-value space ---- */

/* Fails if the last question failed: version -1. */
static int check_version(long version, struct err *e)
{
    return version < 0 ? err_set(e, ERR_SYSTEM, "%s", wick_error()) : 0;
}

static void say_nobody(const char *what)
{
    if (!getenv("WICK_LINE"))
        fprintf(stderr, "wick: not running in a trial: %s\n", what);
}

static int run_put(struct words words, struct arena *arena, struct err *e)
{
    struct str value = {0};
    const char *file = words.word[1];
    (void)arena;
    if (!file || strcmp(file, "-") == 0)
        file = "/dev/stdin";
    if (!str_read_file(&value, file, VALUE_LIMIT, e)) {
        check_version(wick_put(words.word[0], str_text(&value), value.length), e);
        say_nobody("the value is not kept");
    }
    str_free(&value);
    return 0;
}

static int print_value(struct wick_value value, struct err *e)
{
    if (!check_version(value.version, e) && value.version > 0)
        fwrite(value.bytes, 1, value.length, stdout);
    free(value.bytes);
    return value.version > 0 ? 0 : 1;
}

static int run_get(struct words words, struct arena *arena, struct err *e)
{
    (void)arena;
    int code = print_value(wick_get(words.word[0]), e);
    if (code && !e->code)
        fprintf(stderr, "wick: there is no value for '%s'\n", words.word[0]);
    return code;
}

static int run_wait(struct words words, struct arena *arena, struct err *e)
{
    double known = 0;
    (void)arena;
    if (words.word[1] && (!str_number(words.word[1], &known) || !(known >= 0 && known < 1e15)))
        return err_set(e, ERR_USER, "'%s': a version is a whole number; 0 waits for any",
                       words.word[1]);
    say_nobody("nobody will store this key");
    return print_value(wick_wait(words.word[0], (long)known), e);
}

static int run_delete(struct words words, struct arena *arena, struct err *e)
{
    (void)arena;
    check_version(wick_delete(words.word[0]), e);
    return 0;
}

static int run_list(struct words words, struct arena *arena, struct err *e)
{
    char *keys = wick_keys(words.count ? words.word[0] : "");
    (void)arena;
    if (!keys)
        return err_set(e, ERR_SYSTEM, "%s", wick_error());
    for (const char *key = keys; *key; key += strlen(key) + 1)
        puts(key);
    free(keys);
    return 0;
}

/* ---- where the libraries are ---- */

static int run_library(struct words words, struct arena *arena, struct err *e)
{
    static const char *const languages[] = {"c", "python", "r", NULL};
    const char *wanted = words.count ? words.word[0] : ".";
    char path[PATH_MAX];
    struct str sought = {0};
    size_t i = 0;
    (void)arena;
    while (words.count && languages[i] && strcmp(languages[i], wanted) != 0)
        i++;
    if (words.count && !languages[i])
        err_set(e, ERR_USER, "there is no library for '%s': use python, r or c", wanted);
    else if (!installed_find(wanted, path, &sought))
        err_set(e, ERR_SYSTEM, "the trial libraries are not in any of %s", str_text(&sought));
    else
        puts(path);
    str_free(&sought);
    return 0;
}

/* ---- the command ---- */

static const struct verb {
    const char *name, *usage;
    size_t least, most;
    int (*run)(struct words words, struct arena *arena, struct err *e); /* the exit code */
} verbs[] = {
    {"report", "STEP NAME=NUMBER ...", 2, SIZE_MAX, run_report},
    {"should-stop", "", 0, 0, run_should_stop},
    {"result", "NAME=NUMBER ...", 1, SIZE_MAX, run_result},
    {"params", "[NAME [DEFAULT]]", 0, 2, run_params},
    {"checkpoint-dir", "", 0, 0, run_checkpoint_dir},
    {"put", "KEY [FILE]", 1, 2, run_put},
    {"get", "KEY", 1, 1, run_get},
    {"wait", "KEY [VERSION]", 1, 2, run_wait},
    {"delete", "KEY", 1, 1, run_delete},
    {"list", "[PREFIX]", 0, 1, run_list},
    {"library", "[python|r|c]", 0, 1, run_library},
};

static const char *const verb_names[] = {"report",         "should-stop", "result",  "params",
                                         "checkpoint-dir", "put",         "get",     "wait",
                                         "delete",         "list",        "library", NULL};

static const struct verb *find_verb(const char *name, struct err *e)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    const char *nearest = str_nearest(name, verb_names);
    if (nearest)
        err_set(e, ERR_USER, "`wick trial %s`: did you mean `wick trial %s`?", name, nearest);
    else
        err_set(e, ERR_USER, "unknown command `wick trial %s`: see `wick trial --help`", name);
    return NULL;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct words words = {arguments->operands + 1, arguments->operand_count - 1};
    const struct verb *verb = find_verb(arguments->operands[0], &e);
    int code = 0;
    if (verb && words.count < verb->least)
        err_set(&e, ERR_USER, "missing argument: wick trial %s %s", verb->name, verb->usage);
    else if (verb && words.count > verb->most)
        err_set(&e, ERR_USER, "unexpected argument '%s': wick trial %s %s", words.word[verb->most],
                verb->name, verb->usage);
    else if (verb)
        code = verb->run(words, &arguments->arena, &e);
    return e.code ? cli_fail(&e) : code;
}

const struct cli_command cli_command_trial = {
    .name = "trial",
    .summary = "let a trial written as a shell script talk to Wick",
    .example = "lr=$(wick trial params lr 0.1)\n"
               "wick trial report 3 val_loss=0.41 accuracy=0.9\n"
               "if wick trial should-stop; then break; fi\n"
               "wick trial result val_loss=0.4",
    .synopsis = "report|should-stop|result|params|checkpoint-dir|... [WORD ...]",
    .details =
        "report STEP NAME=NUMBER ...  report metrics of a step; steps count from 1\n"
        "should-stop                  exit code 0: the trial should stop; 1: it should not\n"
        "result NAME=NUMBER ...       report metrics of the whole trial, with the score\n"
        "params [NAME [DEFAULT]]      print a parameter, or all of them as JSON\n"
        "checkpoint-dir               print a folder of the trial that outlives the process\n"
        "put KEY [FILE]               store a value for all trials, from FILE or standard\n"
        "                             input\n"
        "get KEY                      print a value; exit code 1: there is none\n"
        "wait KEY [VERSION]           wait for a value newer than VERSION and print it\n"
        "delete KEY, list [PREFIX]    delete a key; list the keys that start with PREFIX\n"
        "library [python|r|c]         print where the trial libraries are\n\n"
        "Outside of a trial, report and result print, should-stop says no, and parameters\n"
        "have their DEFAULT.",
    .verbs = verb_names,
    .least = 1,
    .most = 1000,
    .run = run,
};
