/* command.c - the command line of a trial: the study's command with the hyperparameters in it. */
#include "model/model.h"

#include "base/installed.h"

#include <math.h>

uint64_t model_seed(const struct study *study, uint64_t id)
{
    struct random random;
    random_seed(&random, study->search.seed ^ 0x747269616cu, id);
    return random_bits(&random) >> 33; /* 31 bits fit every language's int */
}

/* Appends the meaning of {word}; false when it has none. */
static bool put_word(const struct study *study, const struct model_paths *paths, uint64_t id,
                     const double *point, struct slice word, struct str *out)
{
    if (slice_is(word, "trial")) {
        str_printf(out, "%llu", (unsigned long long)id);
    } else if (slice_is(word, "seed")) {
        str_printf(out, "%llu", (unsigned long long)model_seed(study, id));
    } else if (slice_is(word, "params")) {
        str_add(out, paths->params);
    } else if (slice_is(word, "result")) {
        str_add(out, paths->result);
    } else if (slice_is(word, "dir")) {
        str_add(out, paths->dir);
    } else if (slice_is(word, "checkpoint")) {
        str_add(out, paths->checkpoint);
    } else {
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)word.length, word.text);
        const struct parameter *parameter = space_find(&study->space, name);
        if (!parameter)
            return false;
        double value = point[parameter - study->space.parameters];
        if (!isnan(value)) /* an inactive parameter is empty */
            space_put_text(parameter, value, out);
    }
    return true;
}

/* The flag that a word of a command consists of: {name} and nothing else; NULL if it is none. */
static const struct parameter *flag_of(const struct study *study, const char *template)
{
    char name[80];
    struct slice piece;
    if (study_next_piece(&template, &piece) != PIECE_NAME || *template)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)piece.length, piece.text);
    const struct parameter *parameter = space_find(&study->space, name);
    return parameter && parameter->bare ? parameter : NULL;
}

/* True if a flag is to be passed. */
static bool is_set(const struct parameter *flag, double value)
{
    return !isnan(value) && strcmp(flag->values[(size_t)value].json, "true") == 0;
}

/* Replaces each {word} by its meaning; the study has checked that all have one. */
static void fill(const struct study *study, const struct model_paths *paths, uint64_t id,
                 const double *point, const char *template, struct str *out)
{
    struct slice piece;
    enum study_piece kind;
    while ((kind = study_next_piece(&template, &piece)) != PIECE_END)
        if (kind == PIECE_TEXT || !put_word(study, paths, id, point, piece, out))
            str_add_bytes(out, piece.text, piece.length);
}

char **model_command(const struct study *study, const struct model_paths *paths, uint64_t id,
                     const double *point, struct arena *arena)
{
    const struct study_model *model = &study->model;
    size_t count = 0, most = 0;
    while (model->command[most])
        most++;
    char **argv = arena_new(arena, most + 2 * study->space.count + 1, sizeof *argv);
    struct str text = {0};
    for (size_t i = 0; i < most; i++) {
        const struct parameter *flag = flag_of(study, model->command[i]);
        if (flag && is_set(flag, point[flag - study->space.parameters]))
            argv[count++] = arena_printf(arena, "--%s", flag->name);
        if (flag)
            continue;
        str_clear(&text);
        fill(study, paths, id, point, model->command[i], &text);
        argv[count++] = arena_copy(arena, str_text(&text), text.length);
    }
    for (size_t i = 0; model->pass == PASS_FLAGS && i < study->space.count; i++) {
        const struct parameter *parameter = &study->space.parameters[i];
        if (parameter->bare ? !is_set(parameter, point[i]) : isnan(point[i]))
            continue;
        argv[count++] = arena_printf(arena, "--%s", parameter->name);
        if (parameter->bare)
            continue;
        str_clear(&text);
        space_put_text(parameter, point[i], &text);
        argv[count++] = arena_copy(arena, str_text(&text), text.length);
    }
    str_free(&text);
    return argv;
}

char **model_call(const struct study_model *model, struct arena *arena)
{
    bool is_python = model->code.language == LANGUAGE_PYTHON;
    char library[PATH_MAX] = "lib/wick";
    char **argv = arena_new(arena, 7, sizeof *argv);
    size_t count = 0;
    (void)!installed_find(".", library, NULL); /* otherwise the user sees what is missing */
    argv[count++] = arena_printf(arena, "%s", study_interpreter(&model->code));
    argv[count++] =
        arena_printf(arena, "%s/%s", library, is_python ? "python/wick_host.py" : "r/host.R");
    if (!is_python)
        argv[count++] = arena_printf(arena, "%s/wick-r.so", library);
    argv[count++] = arena_printf(arena, "once");
    argv[count++] = arena_printf(arena, "%s", model->code.file);
    argv[count++] = arena_printf(arena, "%s", model->code.function);
    return argv;
}
