/* command.c - the command of a trial, as a user would type it. */
#include "base/installed.h"
#include "model/model.h"
#include "report/report.h"

/* Quotes a word for a POSIX shell, if necessary. */
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

/* The files of a command that is run again, below DIR/rerun/ID. */
static struct model_paths rerun_paths(const char *dir, uint64_t id, struct arena *arena)
{
    char *absolute = realpath(dir, NULL);
    struct model_paths paths;
    struct str path = {0};
    study_trial_path(&path, absolute ? absolute : dir, STUDY_RERUN, id);
    paths.dir = arena_copy(arena, path.text, path.length);
    paths.params = arena_printf(arena, "%s/params.json", paths.dir);
    paths.result = arena_printf(arena, "%s/result.json", paths.dir);
    paths.checkpoint = arena_printf(arena, "%s/checkpoint", paths.dir);
    str_free(&path);
    free(absolute);
    return paths;
}

/* Creates that folder and its files, if a word of the command refers to it. */
static void put_files(const struct study *study, const struct model_paths *paths,
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
        str_add(s, " && printf '%s\\n' "); /* echo would interpret backslashes */
        put_quoted(s, json.text);
        str_add(s, " >");
        put_quoted(s, paths->params);
        str_free(&json);
    }
    str_add(s, " && ");
}

/* Where variables go: among the words of `env`, or as they are, each ended by a zero. */
struct variables {
    struct str *s;
    bool are_words;
};

static void put_variable(const struct variables *to, const char *name, const char *value)
{
    struct str variable = {0};
    str_printf(&variable, "%s=%s", name, value);
    if (to->are_words)
        put_quoted(to->s, variable.text);
    else
        str_add(to->s, variable.text);
    str_add_char(to->s, to->are_words ? ' ' : 0);
    str_free(&variable);
}

/* A variable of the study. A secret is taken from the shell, which complains if it is not set. */
static void put_own_variable(const struct variables *to, const struct study *study,
                             const struct study_variable *variable)
{
    if (!to->are_words || study->shows_secrets || !study_is_secret(variable->value))
        put_variable(to, variable->name, variable->value);
    else
        str_printf(to->s, "%s=\"${%s:?}\" ", variable->name, variable->name);
}

/* What a program is not told by its arguments. It is no trial, so it has no WICK_TRIAL. */
static void put_trial(const struct variables *to, const struct study *study, uint64_t id,
                      const double *point)
{
    struct str params = {0};
    char seed[32], library[PATH_MAX];
    space_put_json(&study->space, point, &params);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)model_seed(study, id));
    put_variable(to, "WICK_PARAMS", params.text);
    put_variable(to, "WICK_SEED", seed);
    if (model_kind(&study->model)->is_called) {
        put_variable(to, "WICK_SCORE", study_score_name(&study->model));
        if (installed_find(".", library, NULL))
            put_variable(to, "WICK_LIBRARY", library);
    }
    str_free(&params);
}

/* Variables of the study; and the parameters, if the command itself does not get them. */
static void put_environment(const struct variables *to, const struct study *study, uint64_t id,
                            const double *point)
{
    bool alone = model_kind(&study->model)->is_called ||
                 (study->model.pass == PASS_NONE && !study->model.wants_params_file);
    if (!alone && study->model.environment_count == 0)
        return;
    if (to->are_words)
        str_add(to->s, "env ");
    if (alone)
        put_trial(to, study, id, point);
    for (size_t i = 0; i < study->model.environment_count; i++)
        if (strncmp(study->model.environment[i].name, "WICK_", 5) != 0)
            put_own_variable(to, study, &study->model.environment[i]);
}

static void put_command(const struct study *study, const char *dir, uint64_t id,
                        const double *point, const struct variables *variables, struct str *s)
{
    struct arena arena = {0};
    struct model_paths paths = rerun_paths(dir, id, &arena);
    char **words = model_kind(&study->model)->is_called
                       ? model_call(&study->model, &arena)
                       : model_command(study, &paths, id, point, &arena);
    str_add(s, "cd ");
    put_quoted(s, study->model.folder);
    str_add(s, " && ");
    put_files(study, &paths, words, point, s);
    put_environment(variables, study, id, point);
    for (size_t i = 0; words[i]; i++) {
        str_add(s, i ? " " : "");
        put_quoted(s, words[i]);
    }
    arena_free(&arena);
}

void report_command(const struct study *study, const char *dir, uint64_t id, const double *point,
                    struct str *s)
{
    const struct model_kind *kind = model_kind(&study->model);
    if (kind->put_call)
        kind->put_call(study, point, s);
    else
        put_command(study, dir, id, point, &(struct variables){s, true}, s);
}

void report_rerun(const struct study *study, const char *dir, uint64_t id, const double *point,
                  struct str *s, struct str *environment)
{
    put_command(study, dir, id, point, &(struct variables){environment, false}, s);
}
