/* hosts.c - keys of `model` for code that runs in a language host: python, r, warm, preload. */
#include "study/read.h"

#include "script/script.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODULES = 100 };

/* Per language: its key, its name, its usual interpreter, and an example of code. */
static const struct {
    const char *key, *name, *program, *example;
} languages[] = {
    [LANGUAGE_PYTHON] = {"python", "Python", "python3", "train.py:run"},
    [LANGUAGE_R] = {"r", "R", "Rscript", "train.R:run"},
};

const char *study_interpreter(const struct study_code *code)
{
    return code->interpreter ? code->interpreter : languages[code->language].program;
}

/* ---- python: FILE:FUNCTION ---- */

/* Names in R may also have dots. */
static bool is_function(const char *name, enum study_language language)
{
    return is_name(name, language == LANGUAGE_R ? "." : "");
}

static void read_code(struct reader *reader, const struct node *value, enum study_language language)
{
    struct study_code *code = &reader->study->model.code;
    const char *text;
    if (!read_text(reader, value, &text))
        return;
    if (reader->code) {
        mistake(reader->mistakes, value->key_place,
                "'model' has both 'python' and 'r': leave one of them out");
        return;
    }
    reader->code = value;
    const char *colon = strrchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    const char *function = colon ? colon + 1 : "run";
    if (length == 0)
        mistake(reader->mistakes, value->place, "'%s' names no file: write it as in %s: %s",
                value->key, value->key, languages[language].example);
    else if (!is_function(function, language))
        mistake(reader->mistakes, place_inside(value, length + 1),
                "'%s' cannot be the name of a function: write it as in %s: %s",
                shown(function).text, value->key, languages[language].example);
    code->language = language;
    code->file = arena_copy(&reader->study->arena, text, length);
    code->function = function;
}

void read_python(struct reader *reader, const struct node *value)
{
    read_code(reader, value, LANGUAGE_PYTHON);
}

void read_r(struct reader *reader, const struct node *value)
{
    read_code(reader, value, LANGUAGE_R);
}

/* ---- other keys ---- */

void read_warm(struct reader *reader, const struct node *value)
{
    bool warm;
    if (read_bool(reader, value, &warm) && warm)
        reader->warm = value;
}

void read_interpreter(struct reader *reader, const struct node *value)
{
    if (read_text(reader, value, &reader->study->model.code.interpreter))
        reader->interpreter = value;
}

void read_preload(struct reader *reader, const struct node *value)
{
    if (value->kind == NODE_MAP || value->count > MODULES) {
        mistake(reader->mistakes, value->place,
                "'preload' must be a list of at most %d modules, as in preload: [torch, numpy]",
                MODULES);
        return;
    }
    bool is_list = value->kind == NODE_LIST;
    size_t count = is_list ? value->count : 1;
    const char **names = arena_new(&reader->study->arena, count + 1, sizeof *names);
    const struct node *item = is_list ? value->first : value;
    for (size_t i = 0; i < count; i++, item = item->next) {
        if (!read_text(reader, item, &names[i]))
            return;
        if (!is_name(names[i], "."))
            mistake(reader->mistakes, item->place,
                    "'%s' cannot be the name of a module: write it as in preload: [torch, numpy]",
                    shown(names[i]).text);
    }
    reader->preload = value;
    reader->study->model.code.preload = names;
}

/* ---- warm: true ---- */

static enum study_language language_of(const char *program)
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    if (strncmp(name, "python", 6) == 0 || strncmp(name, "pypy", 4) == 0)
        return LANGUAGE_PYTHON;
    return strcmp(name, "Rscript") == 0 ? LANGUAGE_R : LANGUAGE_NONE;
}

static void warm_command(struct reader *reader)
{
    struct study_model *model = &reader->study->model;
    if (!model->command)
        return; /* the mistake is in the command */
    enum study_language language = language_of(model->command[0]);
    size_t index = language ? script_after(model->command, 0) : 0;
    const char *script = index > 0 ? model->command[index] : NULL;
    if (!language)
        mistake(reader->mistakes, reader->warm->key_place,
                "'warm' is for scripts in Python and R: the command must start with python3 or "
                "Rscript, not '%s'",
                shown(model->command[0]).text);
    else if (!script)
        mistake(reader->mistakes, reader->warm->key_place,
                "'warm' needs a script in the command, as in command: %s %s",
                languages[language].program, language == LANGUAGE_R ? "train.R" : "train.py");
    else if (strchr(script, '{'))
        mistake(reader->mistakes, reader->warm->key_place,
                "'warm' is for one script: '%s' depends on the hyperparameters",
                shown(script).text);
    else if (model->launch == LAUNCH_MPI)
        mistake(reader->mistakes, reader->warm->key_place,
                "'warm' does not go with 'launch: mpi': mpiexec starts fresh processes");
    else if (reader->interpreter)
        mistake(reader->mistakes, reader->interpreter->key_place,
                "the command names its interpreter: leave 'interpreter' out");
    model->code.language = language;
    model->code.file = script;
    model->code.interpreter = model->command[0];
}

/* ---- all of them ---- */

static void check_alone(struct reader *reader)
{
    const char *code = reader->code->key;
    if (reader->command)
        mistake(reader->mistakes, reader->code->key_place,
                "'model' has both 'command' and '%s': leave one of them out", code);
    if (reader->function)
        mistake(reader->mistakes, reader->code->key_place,
                "'model' has both 'function' and '%s': leave one of them out", code);
    if (reader->pass)
        mistake(reader->mistakes, reader->pass->key_place,
                "'pass' is for a command: a function of '%s' is called with the parameters", code);
    if (!reader->study->model.code.interpreter)
        reader->study->model.code.interpreter =
            languages[reader->study->model.code.language].program;
}

void read_hosts(struct reader *reader)
{
    const struct node *alone = reader->preload ? reader->preload : reader->interpreter;
    if (reader->code)
        check_alone(reader);
    else if (reader->warm && reader->command)
        warm_command(reader);
    else if (reader->warm)
        mistake(reader->mistakes, reader->warm->key_place,
                "'warm' needs a command, as in command: python3 train.py");
    else if (alone)
        mistake(reader->mistakes, alone->key_place,
                "'%s' is for code in a language host: add warm: true to the command, or name a "
                "function, as in python: train.py:run",
                alone->key);
}

/* ---- code of the other language ---- */

static enum study_language language_of_file(const char *file)
{
    const char *dot = strrchr(file, '.');
    if (dot && strcmp(dot, ".py") == 0)
        return LANGUAGE_PYTHON;
    return dot && (strcmp(dot, ".R") == 0 || strcmp(dot, ".r") == 0) ? LANGUAGE_R : LANGUAGE_NONE;
}

static enum study_language language_of_interpreter(const char *program)
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    return strcmp(name, "R") == 0 ? LANGUAGE_R : language_of(program);
}

void check_code_language(struct reader *reader)
{
    const struct study_code *code = &reader->study->model.code;
    if (!reader->code || !code->language)
        return;
    enum study_language file = language_of_file(code->file);
    enum study_language interpreter = language_of_interpreter(code->interpreter);
    if (file && file != code->language)
        mistake(reader->mistakes, reader->code->place,
                "'%s' contains %s code: write it as in %s: %s", shown(code->file).text,
                languages[file].name, languages[file].key, languages[file].example);
    if (interpreter && interpreter != code->language)
        mistake(reader->mistakes, reader->interpreter->place,
                "'%s' runs %s, but '%s' is for %s: name another, as in interpreter: %s",
                shown(code->interpreter).text, languages[interpreter].name, reader->code->key,
                languages[code->language].name, languages[code->language].program);
}

/* ---- whether the file has the function ---- */

static bool is_part_of_name(char c, enum study_language language)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c == '.' && language == LANGUAGE_R);
}

static bool has_word(const struct str *text, const char *word, enum study_language language)
{
    size_t length = strlen(word);
    const char *found = text->text;
    while ((found = strstr(found, word))) {
        bool begins = found == text->text || !is_part_of_name(found[-1], language);
        if (begins && !is_part_of_name(found[length], language))
            return true;
        found += length;
    }
    return false;
}

/*
 * The file is not run, and a function can be defined in many ways. It is missing only if its name
 * appears nowhere and the file imports no unknown names.
 */
static void check_function(struct reader *reader, const char *path)
{
    enum { MOST = 1 << 20 };
    const struct study_code *code = &reader->study->model.code;
    struct str text = {0};
    struct err e = {0};
    bool is_read = !str_read_file(&text, path, MOST, &e) && text.length > 0 &&
                   strlen(text.text) == text.length;
    if (is_read && !strstr(text.text, "import *") && !strstr(text.text, "source(") &&
        !has_word(&text, code->function, code->language))
        mistake(reader->mistakes, reader->code->place,
                "there is no function '%s' in %s: define it, or name another, as in %s: %s",
                code->function, shown(code->file).text, languages[code->language].key,
                languages[code->language].example);
    str_free(&text);
}

void check_code_file(struct reader *reader)
{
    const struct study_model *model = &reader->study->model;
    const struct study_code *code = &model->code;
    const struct node *node = reader->code ? reader->code : reader->warm;
    struct stat info;
    bool told = !code->file || !code->file[0] || strchr(code->file, '{');
    if (!code->language || told || !model->folder || !node)
        return;
    const struct study_container *container = &reader->study->container;
    if (container->image && (code->file[0] == '/' || container->workdir))
        return; /* it may be in the image */
    struct place place = reader->code ? node->place : reader->command->place;
    const char *path = script_path(&reader->study->arena, model->folder, code->file);
    bool is_there = stat(path, &info) == 0;
    if (!is_there && err_is_outage(errno))
        return; /* the first trial will say why */
    if (!is_there)
        missing_file(reader, reader->mistakes, place, code->file);
    else if (S_ISDIR(info.st_mode))
        mistake(reader->mistakes, place, "'%s' is a folder: name the file in it",
                shown(code->file).text);
    else if (access(path, R_OK) != 0 && !err_is_outage(errno))
        mistake(reader->mistakes, place, "no permission to read '%s'", shown(code->file).text);
    else if (reader->code && is_function(code->function, code->language))
        check_function(reader, path);
}
