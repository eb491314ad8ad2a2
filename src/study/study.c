/*
 * study.c - where a study comes from: a file, text, the command line, a parameter file, a journal.
 */
#include "study/study.h"

#include "study/read.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between the settings and the lines of a parameter file in study->text. */
#define UPF_MARK "\n--- # unrolled parameters\n"

/* ---- files and folders ---- */

/* Not the user's mistake, although it is reported with those: the exit code is then 1. */
static void fault(struct reader *reader, struct place place, const char *what)
{
    int number = errno;
    size_t at = reader->mistakes->count;
    mistake(reader->mistakes, place, "%s: %s", what, strerror(number));
    if (number != EACCES && number != EPERM && at < ERR_LIST_LIMIT)
        reader->mistakes->items[at].code = ERR_SYSTEM;
}

/* NULL and a mistake if it cannot be found. */
static const char *current_folder(struct reader *reader)
{
    char *here = getcwd(NULL, 0);
    if (!here) {
        fault(reader, (struct place){0}, "the current folder cannot be found");
        return NULL;
    }
    const char *copy = arena_copy(&reader->study->arena, here, strlen(here));
    free(here);
    return copy;
}

/* The folder as an absolute path; unchanged if it does not exist. */
static const char *absolute(struct arena *arena, const char *folder)
{
    char *real = realpath(folder, NULL);
    const char *copy = arena_copy(arena, real ? real : folder, strlen(real ? real : folder));
    free(real);
    return copy;
}

static const char *folder_of(struct reader *reader, const char *path)
{
    struct arena *arena = &reader->study->arena;
    const char *slash = strrchr(path, '/');
    if (!slash)
        return current_folder(reader);
    return absolute(arena, arena_copy(arena, path, slash > path ? (size_t)(slash - path) : 1));
}

/* The last part of a path without its extension: the default name of a study. */
static const char *name_of(struct arena *arena, const char *path)
{
    enum { LIMIT = 100 };
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    while (*base == '.' || *base == '-')
        base++;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base), at = 0;
    char *name = arena_copy(arena, base, length);
    while (at < length) {
        size_t step = utf8_length(name + at, length - at);
        if (at + step > LIMIT)
            break;
        if (step == 0 || (unsigned char)name[at] <= ' ' || name[at] == 0x7f)
            name[at] = '_';
        at += step ? step : 1;
    }
    name[at] = 0;
    return at > 0 ? name : "study";
}

struct source *read_source(struct reader *reader, const char *path, size_t limit)
{
    struct arena *arena = &reader->study->arena;
    struct source *source = arena_new(arena, 1, sizeof *source);
    struct str text = {0};
    struct err e = {0};
    struct stat info;
    *source = (struct source){.file = arena_copy(arena, path, strlen(path)), .text = ""};
    struct place place = {source, 0, 0};
    size_t before = reader->mistakes->count;
    bool exists = stat(path, &info) == 0;
    bool is_missing = !exists && (errno == ENOENT || errno == ENOTDIR);
    if (exists && S_ISDIR(info.st_mode)) {
        mistake(reader->mistakes, place, "this is a folder, not a file");
    } else if (is_missing) {
        mistake(reader->mistakes, place, "there is no such file");
    } else if (!exists || str_read_file(&text, path, limit, &e) != 0) {
        if (e.code == ERR_USER)
            mistake(reader->mistakes, place, "the file is larger than %zu MiB", limit >> 20);
        else
            fault(reader, place, "the file cannot be read");
    } else {
        source->text = arena_copy(arena, str_text(&text), text.length);
        source->length = text.length;
    }
    str_free(&text);
    return reader->mistakes->count == before ? source : NULL;
}

/* ---- start and end of reading ---- */

static struct reader begin(struct study *study, struct err_list *mistakes)
{
    *study = (struct study){0};
    return (struct reader){.study = study, .mistakes = mistakes};
}

/* Frees everything if there were mistakes. */
static int end(struct reader *reader, int result)
{
    if (reader->mistakes->count > 0)
        result = ERR_USER;
    if (result != 0)
        study_free(reader->study);
    return result;
}

/* The default name of a study: its file, its function, its script or its program. */
static const char *default_name(struct reader *reader)
{
    const struct study *study = reader->study;
    struct arena *arena = &reader->study->arena;
    if (study->path)
        return name_of(arena, study->path);
    if (study->model.function)
        return study->model.function->name;
    if (!study->model.command)
        return "study";
    const char *program = study->model.command[0], *script = study->model.command[1];
    bool is_script = script && script[0] != '-' && strchr(script, '.') && !strchr(script, '{');
    return name_of(arena, is_script ? script : program);
}

/* Appends the tree as text, including the name that would otherwise come from the file. */
static void put_tree(struct reader *reader, struct node *root, struct str *text)
{
    struct study *study = reader->study;
    if (!node_find(root, "name"))
        node_add(root, "name", (struct place){0},
                 node_scalar(&study->arena, study->name, false, (struct place){0}));
    if (reader->has_moved)
        put_container_paths(reader, root);
    node_put(root, text);
}

static void take_text(struct study *study, struct str *text)
{
    study->text = arena_copy(&study->arena, text->text, text->length);
    str_free(text);
}

/* Keeps the text of the tree, since the file does not say everything. */
static void keep_tree(struct reader *reader, struct node *root)
{
    struct str text = {0};
    put_tree(reader, root, &text);
    take_text(reader->study, &text);
}

/*
 * Notes the study file, with its tree as long as nothing is merged into it. Only a regular file can
 * be read again: standard input cannot.
 */
static void note_file(struct reader *reader, const char *path, const struct node *root)
{
    struct study *study = reader->study;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    const char *slash = strrchr(path, '/'), *folder = reader->folder;
    study->file = arena_printf(&study->arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
                               slash ? slash + 1 : path);
    struct str text = {0};
    node_put(root, &text);
    study->file_text = arena_copy(&study->arena, text.text, text.length);
    str_free(&text);
}

/* ---- the ways to read a study ---- */

int study_load(struct study *study, const char *path, struct err_list *mistakes)
{
    return study_from_words(study, path, NULL, mistakes);
}

int study_parse(struct study *study, const char *text, size_t length, const char *path,
                const char *folder, struct err_list *mistakes)
{
    struct reader reader = begin(study, mistakes);
    struct source source = {path ? path : "study", arena_copy(&study->arena, text, length), length};
    reader.start.source = &source;
    reader.folder = absolute(&study->arena, folder);
    study->path = path ? arena_copy(&study->arena, path, strlen(path)) : NULL;
    study->text = source.text;
    struct node *root = node_read_yaml(&study->arena, &source, mistakes);
    int result = root ? read_study(&reader, root) : ERR_USER;
    if (!study->name)
        study->name = default_name(&reader);
    if (result == 0 && reader.has_moved)
        keep_tree(&reader, root);
    return end(&reader, result);
}

/* True for the name of a script, which YAML would report as something strange. */
static bool is_program(const char *path)
{
    static const char *const endings[] = {".py", ".R", ".sh", ".jl", ".ipynb", NULL};
    const char *ending = strrchr(path, '.');
    return ending && is_one_of(ending, endings);
}

int study_from_words(struct study *study, const char *path, const struct study_words *words,
                     struct err_list *mistakes)
{
    struct reader reader = begin(study, mistakes);
    struct arena *arena = &study->arena;
    struct node *root = NULL;
    if (path && is_program(path)) {
        mistake(mistakes, (struct place){0},
                "%s is a program, not a study file: write its command after --, as in -- python3 "
                "train.py",
                path);
        return end(&reader, ERR_USER);
    }
    if (path) {
        const struct source *source = read_source(&reader, path, STUDY_FILE_LIMIT);
        if (!source)
            return end(&reader, ERR_USER);
        reader.start.source = source;
        reader.folder = folder_of(&reader, path);
        if (!reader.folder)
            return end(&reader, ERR_USER);
        study->path = source->file;
        study->text = source->text;
        root = node_read_yaml(arena, source, mistakes);
        if (root)
            note_file(&reader, path, root);
    } else {
        reader.folder = current_folder(&reader);
        root = node_new(arena, NODE_MAP, (struct place){0});
    }
    if (!root || !reader.folder)
        return end(&reader, ERR_USER);
    bool merged = words && words_merge(&reader, root, words);
    reader.elsewhere = (words && words->elsewhere) || node_find(root, "job");
    int result = read_study(&reader, root);
    if (!study->name)
        study->name = default_name(&reader);
    if (result == 0 && (merged || !path || reader.has_moved))
        keep_tree(&reader, root);
    else if (study->file)
        study->file_text = study->text;
    return end(&reader, result);
}

int study_from_upf(struct study *study, const char *path, const struct study_words *words,
                   struct err_list *mistakes)
{
    struct reader reader = begin(study, mistakes);
    struct arena *arena = &study->arena;
    const struct source *source = read_source(&reader, path, STUDY_UPF_LIMIT);
    if (!source)
        return end(&reader, ERR_USER);
    struct node *root = node_new(arena, NODE_MAP, (struct place){0});
    reader.folder = current_folder(&reader);
    if (!reader.folder)
        return end(&reader, ERR_USER);
    reader.upf = source;
    study->path = source->file;
    if (words)
        words_merge(&reader, root, words);
    int result = read_study(&reader, root);
    if (!study->name)
        study->name = default_name(&reader);
    if (result == 0) {
        struct str text = {0};
        put_tree(&reader, root, &text);
        str_add(&text, UPF_MARK);
        str_add_bytes(&text, source->text, source->length);
        take_text(study, &text);
    }
    return end(&reader, result);
}

/*
 * The mark of a parameter file follows a tree on one line. No other text has it there, since a
 * study file with a second document is refused.
 */
static const char *find_mark(const char *text, size_t length)
{
    const char *line_end = memchr(text, '\n', length);
    size_t mark = strlen(UPF_MARK);
    if (text[0] != '{' || !line_end || (size_t)(text + length - line_end) < mark)
        return NULL;
    return memcmp(line_end, UPF_MARK, mark) == 0 ? line_end : NULL;
}

struct recorded recorded_parts(const char *text, size_t length)
{
    const char *mark = find_mark(text, length), *end = text + length;
    struct recorded parts = {{"the recorded study", text, length}, {"parameters", NULL, 0}, ""};
    if (mark) {
        parts.tree.length = (size_t)(mark - text);
        parts.rest = mark;
        parts.upf.text = mark + strlen(UPF_MARK);
        parts.upf.length = (size_t)(end - parts.upf.text);
    }
    return parts;
}

int study_restore(struct study *study, const char *text, size_t length, const char *folder,
                  struct err_list *mistakes)
{
    struct reader reader = begin(study, mistakes);
    struct arena *arena = &study->arena;
    study->text = arena_copy(arena, text, length);
    struct recorded parts = recorded_parts(study->text, length);
    reader.start.source = &parts.tree;
    reader.folder = arena_copy(arena, folder, strlen(folder));
    reader.is_restored = true;
    reader.upf = parts.upf.text ? &parts.upf : NULL;
    struct node *root = node_read_yaml(arena, &parts.tree, mistakes);
    int result = root ? read_study(&reader, root) : ERR_USER;
    if (!study->name)
        study->name = "study";
    return end(&reader, result);
}

const char *study_upf_id(const struct study *study, size_t trial)
{
    return study->upf_ids && trial < study->search.list_count ? study->upf_ids[trial] : NULL;
}

const char *study_variable_value(const struct study_model *model, const char *name)
{
    for (size_t i = 0; i < model->environment_count; i++)
        if (strcmp(model->environment[i].name, name) == 0)
            return model->environment[i].value;
    return getenv(name);
}

const char *study_score_name(const struct study_model *model)
{
    return model->score ? model->score : "score";
}

size_t study_objectives(const struct study *study)
{
    return study->search.objectives > 1 ? study->search.objectives : 1;
}

const char *study_objective_name(const struct study *study, size_t index)
{
    return index == 0 ? study_score_name(&study->model) : study->model.scores[index];
}

const char *study_direction(const struct study *study, size_t index)
{
    return study->search.maximize[index] ? "maximize" : "minimize";
}

bool study_is_objective(const struct study *study, const char *name)
{
    for (size_t i = 0; i < study_objectives(study); i++)
        if (strcmp(study_objective_name(study, i), name) == 0)
            return true;
    return false;
}

const char *study_steers(const struct study *study)
{
    return study->steer.name;
}

const char *study_resume_command(const struct study_model *model)
{
    return model->asktell ? "asktell" : "resume";
}

void study_free(struct study *study)
{
    if (study->model.regex)
        regfree(study->model.regex);
    space_free(&study->space);
    err_list_free(&study->notes);
    arena_free(&study->arena);
    *study = (struct study){0};
}

/*
 * ---- secrets: the values of environment variables ----
 *
 * The journal needs them to continue the study, and is readable by its owner alone when it has any.
 * Whatever else shows a study leaves them out, unless its user asks for them.
 */

static const char *const secret_keys[] = {"model.env", "container.env", "job.environment", NULL};

bool study_is_secret(const char *value)
{
    enum { SHORT = 4 };
    double number;
    bool is_harmless = strlen(value) <= SHORT && decimal_number(value, &number);
    return value[0] && !is_harmless;
}

static bool any_secret(const struct study_variable *variables, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (study_is_secret(variables[i].value))
            return true;
    return false;
}

bool study_job_has_secrets(const struct study_job *job)
{
    return any_secret(job->environment, job->environment_count);
}

bool study_has_secrets(const struct study *study)
{
    const struct study_container *container = &study->container;
    return any_secret(study->model.environment, study->model.environment_count) ||
           any_secret(container->environment, container->environment_count) ||
           study_job_has_secrets(&study->job);
}

static bool is_secret_key(const char *key)
{
    for (size_t i = 0; secret_keys[i]; i++) {
        size_t length = strlen(secret_keys[i]);
        if (strncmp(key, secret_keys[i], length) == 0 && (key[length] == 0 || key[length] == '.'))
            return true;
    }
    return false;
}

static void hide(struct arena *arena, const char *key, struct node *node)
{
    if (node->kind == NODE_SCALAR && is_secret_key(key) && study_is_secret(node->text)) {
        node->text = STUDY_HIDDEN;
        node->plain = false;
    }
    for (struct node *item = node->first; item; item = item->next)
        if (item->key)
            hide(arena, arena_printf(arena, "%s%s%s", key, key[0] ? "." : "", item->key), item);
}

/* YAML as the value of this key, with its secrets hidden; as it is if it is not YAML. */
static const char *hidden(struct arena *arena, const char *key, struct source *source,
                          const char *rest)
{
    struct err_list ignored = {0};
    struct str text = {0};
    struct node *root = node_read_yaml(arena, source, &ignored);
    err_list_free(&ignored);
    if (!root)
        return source->text;
    hide(arena, key, root);
    node_put(root, &text);
    str_add(&text, rest);
    const char *copy = arena_copy(arena, text.text, text.length);
    str_free(&text);
    return copy;
}

const char *study_shown_text(const struct study *study, struct arena *arena)
{
    if (study->shows_secrets || !study_has_secrets(study))
        return study->text;
    struct recorded parts = recorded_parts(study->text, strlen(study->text));
    return hidden(arena, "", &parts.tree, parts.rest);
}

const char *study_shown_value(const char *key, const char *value, struct arena *arena)
{
    struct source source = {"a change", value, value ? strlen(value) : 0};
    return value ? hidden(arena, key, &source, "") : NULL;
}
