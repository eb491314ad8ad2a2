/* model.c - the section `model`: what to run, and how. */
#include "study/read.h"

#include <sys/stat.h>

enum { METRIC_BYTES = 47 };

static void read_function(struct reader *reader, const struct node *value)
{
    size_t index;
    reader->function = value;
    if (read_word(reader, value, function_names(), &index))
        reader->study->model.function = function_find(function_names()[index]);
}

/* ---- results ---- */

bool read_metric(struct reader *reader, const struct node *value, const char **name)
{
    if (!read_text(reader, value, name))
        return false;
    bool good = strlen(*name) <= METRIC_BYTES;
    for (const char *p = *name; *p; p++)
        good = good && (unsigned char)*p > ' ' && *p != 0x7f && !strchr("=:,", *p);
    if (!good)
        mistake(
            reader->mistakes, value->place,
            "'%s' cannot be the name of a metric: use at most %d bytes without spaces, =, : and ,",
            shown(*name).text, METRIC_BYTES);
    return good;
}

static void note_score(struct reader *reader, const struct node *value)
{
    reader->score = value;
}

static void read_metrics(struct reader *reader, const struct node *value)
{
    if (value->kind == NODE_MAP || value->count > READ_METRICS) {
        mistake(reader->mistakes, value->place,
                "'metrics' must be a list of at most %d names, as in metrics: [loss, accuracy]",
                READ_METRICS);
        return;
    }
    size_t count = value->kind == NODE_LIST ? value->count : 1;
    const char **names = arena_new(&reader->study->arena, count + 1, sizeof *names);
    const struct node *item = value->kind == NODE_LIST ? value->first : value;
    for (size_t i = 0; i < count; i++, item = item->next)
        read_metric(reader, item, &names[i]);
    reader->study->model.metrics = names;
}

static void note_direction(struct reader *reader, const struct node *value)
{
    reader->direction = value;
}

/* ---- limits and resources ---- */

static void read_timeout(struct reader *reader, const struct node *value)
{
    read_seconds(reader, value, &reader->study->model.timeout);
}

static void read_grace(struct reader *reader, const struct node *value)
{
    read_seconds(reader, value, &reader->study->model.grace);
}

static void read_retries(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 0, 100, &reader->study->model.retries);
}

static void read_memory(struct reader *reader, const struct node *value)
{
    read_size(reader, value, &reader->study->model.memory);
}

static void read_gpus(struct reader *reader, const struct node *value)
{
    enum { MOST = 1024 };
    double gpus;
    if (!read_number(reader, value, &gpus))
        return;
    if (gpus >= 0 && gpus <= MOST && (gpus < 1 || gpus == (double)(uint64_t)gpus))
        reader->study->model.gpus = gpus;
    else
        mistake(reader->mistakes, value->place,
                "'gpus' must be a whole number up to %d, or a share such as 0.5, not '%s'", MOST,
                shown(value->text).text);
}

static void read_cores(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 0, 100000, &reader->study->model.cores);
}

/* ---- where and with what it runs ---- */

static void read_folder(struct reader *reader, const struct node *value)
{
    const char *text;
    struct stat info;
    if (!read_text(reader, value, &text) || reader->is_restored)
        return;
    const char *base = path_base(reader, value);
    const char *path =
        text[0] == '/' ? text : arena_printf(&reader->study->arena, "%s/%s", base, text);
    char *real = realpath(path, NULL);
    reader->study->model.folder = NULL; /* then the program is not looked for there */
    if (!real && text[0] == '/')
        mistake(reader->mistakes, value->place, "there is no folder '%s'", shown(text).text);
    else if (!real)
        mistake(reader->mistakes, value->place, "there is no folder '%s' in %s", shown(text).text,
                shown(base).text);
    else if (stat(real, &info) != 0 || !S_ISDIR(info.st_mode))
        mistake(reader->mistakes, value->place, "'%s' is not a folder", shown(text).text);
    else
        reader->study->model.folder = arena_copy(&reader->study->arena, real, strlen(real));
    free(real);
}

static void read_env(struct reader *reader, const struct node *value)
{
    struct study_model *model = &reader->study->model;
    read_variables(reader, value, "env: {OMP_NUM_THREADS: 4}", &model->environment,
                   &model->environment_count);
}

static void read_pass(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"flags", "template", "none", NULL};
    static const enum study_pass meanings[] = {PASS_FLAGS, PASS_TEMPLATE, PASS_NONE};
    size_t index;
    if (!read_word(reader, value, words, &index))
        return;
    reader->pass = value;
    reader->study->model.pass = meanings[index];
}

/* `wick asktell` writes it into the study of its journal. */
static void read_asktell(struct reader *reader, const struct node *value)
{
    bool *asktell = &reader->study->model.asktell;
    if (read_bool(reader, value, asktell) && *asktell && !reader->asktell && !reader->is_restored)
        mistake(reader->mistakes, value->key_place,
                "this study has no program to run: it is for `wick asktell`");
}

/* ---- the section ---- */

const struct field model_fields[] = {
    {"command", read_command, NULL},
    {"function", read_function, NULL},
    {"score", note_score, NULL},
    {"metrics", read_metrics, NULL},
    {"pattern", read_pattern, NULL},
    {"direction", note_direction, NULL},
    {"timeout", read_timeout, NULL},
    {"grace", read_grace, NULL},
    {"retries", read_retries, NULL},
    {"memory", read_memory, NULL},
    {"gpus", read_gpus, NULL},
    {"cores", read_cores, NULL},
    {"folder", read_folder, NULL},
    {"env", read_env, NULL},
    {"pass", read_pass, NULL},
    {"asktell", read_asktell, NULL},
    {"python", read_python, NULL},
    {"r", read_r, NULL},
    {"warm", read_warm, NULL},
    {"preload", read_preload, NULL},
    {"interpreter", read_interpreter, NULL},
    {"ranks", read_ranks, NULL},
    {"launch", read_launch, NULL},
    {"launcher", read_launcher, NULL},
    {"horovod", read_horovod, NULL},
    {0},
};

void read_model(struct reader *reader)
{
    reader->study->home = reader->study->model.folder = reader->folder;
    reader->study->model.grace = 5;
    reader->study->model.ranks = 1;
    if (!reader->model)
        return;
    read_fields(reader, reader->model, model_fields);
    read_objectives(reader);
    read_hosts(reader);
    if (reader->command && reader->function)
        mistake(reader->mistakes, reader->function->key_place,
                "'model' has both 'command' and 'function': leave one of them out");
    static const char *const programs[] = {"command", "function", "python", "r"};
    bool told = reader->study->model.asktell;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        told = told || node_find(reader->model, programs[i]) ||
               is_explained(reader->model, model_fields, programs[i]);
    if (!told)
        mistake(reader->mistakes, reader->start.source ? reader->model->key_place : reader->start,
                reader->start.source
                    ? "'model' needs a command, as in command: python3 train.py"
                    : "there is no program to run: add it after --, as in -- python3 train.py");
}
