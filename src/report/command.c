/* command.c - the command of a trial, as one types it. */
#include "report/report.h"

#include <math.h>

/* Quotes a word for a POSIX shell, where it needs quotes. */
static void put_quoted(struct str *s, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        str_add(s, word);
        return;
    }
    str_add_char(s, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            str_add(s, "'\\''");
        else
            str_add_char(s, *word);
    }
    str_add_char(s, '\'');
}

static void put_call(const struct study *study, const double *point, struct str *s)
{
    const char *separator = "";
    str_printf(s, "%s(", study->model.function->name);
    for (size_t i = 0; i < study->space.count; i++) {
        if (isnan(point[i]))
            continue;
        str_printf(s, "%s%s=", separator, study->space.parameters[i].name);
        space_put_text(&study->space.parameters[i], point[i], s);
        separator = ", ";
    }
    str_add_char(s, ')');
}

/* Where a command that wants files of its own finds them when it is run again: DIR/rerun/ID. */
static struct trial_paths rerun_paths(const char *dir, uint64_t id, struct arena *arena)
{
    char *absolute = realpath(dir, NULL);
    struct trial_paths paths;
    paths.dir =
        arena_printf(arena, "%s/rerun/%llu", absolute ? absolute : dir, (unsigned long long)id);
    paths.params = arena_printf(arena, "%s/params.json", paths.dir);
    paths.result = arena_printf(arena, "%s/result.json", paths.dir);
    free(absolute);
    return paths;
}

/* Makes that folder and its files, when a word of the command is in it. */
static void put_files(const struct study *study, const struct trial_paths *paths,
                      char *const *words, const double *point, struct str *s)
{
    struct str json = {0};
    bool wanted = false;
    for (size_t i = 0; words[i]; i++)
        wanted |= strstr(words[i], paths->dir) != NULL;
    if (!wanted)
        return;
    str_add(s, "mkdir -p ");
    put_quoted(s, paths->dir);
    if (study->model.wants_params_file) {
        space_put_json(&study->space, point, &json);
        str_add(s, " && echo ");
        put_quoted(s, json.text);
        str_add(s, " >");
        put_quoted(s, paths->params);
        str_free(&json);
    }
    str_add(s, " && ");
}

static void put_environment(const struct study *study, struct str *s)
{
    struct str variable = {0};
    for (size_t i = 0; i < study->model.environment_count; i++) {
        const struct study_variable *v = &study->model.environment[i];
        str_add(s, i == 0 ? "env " : "");
        str_clear(&variable);
        str_printf(&variable, "%s=%s", v->name, v->value);
        put_quoted(s, variable.text);
        str_add_char(s, ' ');
    }
    str_free(&variable);
}

void report_command(const struct study *study, const char *dir, uint64_t id, const double *point,
                    struct str *s)
{
    if (study->model.function) {
        put_call(study, point, s);
        return;
    }
    struct arena arena = {0};
    struct trial_paths paths = rerun_paths(dir, id, &arena);
    char **words = trial_command(study, &paths, id, point, &arena);
    str_add(s, "cd ");
    put_quoted(s, study->model.folder);
    str_add(s, " && ");
    put_files(study, &paths, words, point, s);
    put_environment(study, s);
    for (size_t i = 0; words[i]; i++) {
        str_add(s, i ? " " : "");
        put_quoted(s, words[i]);
    }
    arena_free(&arena);
}
