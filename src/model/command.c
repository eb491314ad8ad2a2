/* command.c - the command line of a trial: the study's command with the hyperparameters in it. */
#include "model/model.h"

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
    for (; count < most; count++) {
        str_clear(&text);
        fill(study, paths, id, point, model->command[count], &text);
        argv[count] = arena_copy(arena, str_text(&text), text.length);
    }
    for (size_t i = 0; model->pass == PASS_FLAGS && i < study->space.count; i++) {
        if (isnan(point[i]))
            continue;
        str_clear(&text);
        space_put_text(&study->space.parameters[i], point[i], &text);
        argv[count++] = arena_printf(arena, "--%s", study->space.parameters[i].name);
        argv[count++] = arena_copy(arena, str_text(&text), text.length);
    }
    str_free(&text);
    return argv;
}
