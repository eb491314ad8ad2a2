/*
 * steer.c - keys of `search` that name a steering program: python, r or command, and what goes with
 * it.
 *
 * Modules for EMEWS queues get their settings as text that they evaluate themselves: in Python a
 * tuple or a dict, in R the arguments of a call. Text in the study file is passed on as it is; a
 * list or a mapping is written in the language of the module.
 */
#include "study/read.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SETTINGS_BYTES = 1 << 20 };

/* ---- settings ---- */

enum notation { NOTATION_PYTHON, NOTATION_R, NOTATION_JSON };

static void put_string(struct str *s, const char *text, enum notation notation)
{
    if (notation == NOTATION_JSON) {
        json_put_string(s, text, strlen(text));
        return;
    }
    str_add_char(s, '\'');
    for (; *text; text++) {
        if (*text == '\n') {
            str_add(s, "\\n");
            continue;
        }
        if (*text == '\'' || *text == '\\')
            str_add_char(s, '\\');
        str_add_char(s, *text);
    }
    str_add_char(s, '\'');
}

static void put_scalar(struct str *s, const struct node *node, enum notation notation)
{
    static const char *const constants[][3] = {
        [NOTATION_PYTHON] = {"True", "False", "None"},
        [NOTATION_R] = {"TRUE", "FALSE", "NULL"},
        [NOTATION_JSON] = {"true", "false", "null"},
    };
    double number;
    switch (node_value_kind(node)) {
    case VALUE_NUMBER:
        if (notation != NOTATION_JSON)
            str_add(s, node->text);
        else if (str_number(node->text, &number))
            json_put_number(s, number);
        break;
    case VALUE_BOOL:
        str_add(s, constants[notation][node->text[0] == 't' || node->text[0] == 'T' ? 0 : 1]);
        break;
    case VALUE_NULL: str_add(s, constants[notation][2]); break;
    default: put_string(s, node->text, notation);
    }
}

static void put_settings(struct str *s, const struct node *node, enum notation notation);

static void put_items(struct str *s, const struct node *node, enum notation notation)
{
    for (const struct node *item = node->first; item; item = item->next) {
        str_add(s, item == node->first ? "" : notation == NOTATION_PYTHON ? ", " : ",");
        if (item->key && notation == NOTATION_R && is_name(item->key, "."))
            str_printf(s, "%s=", item->key);
        else if (item->key && notation == NOTATION_R)
            str_printf(s, "`%s`=", item->key);
        else if (item->key) {
            put_string(s, item->key, notation);
            str_add(s, notation == NOTATION_PYTHON ? ": " : ":");
        }
        put_settings(s, item, notation);
    }
}

/* Appends nested values; the outermost brackets differ: see settings_text(). */
static void put_settings(struct str *s, const struct node *node, enum notation notation)
{
    static const char *const brackets[][4] = {
        [NOTATION_PYTHON] = {"{", "}", "[", "]"},
        [NOTATION_R] = {"list(", ")", "c(", ")"},
        [NOTATION_JSON] = {"{", "}", "[", "]"},
    };
    if (node->kind == NODE_SCALAR) {
        put_scalar(s, node, notation);
        return;
    }
    const char *const *pair = brackets[notation] + (node->kind == NODE_MAP ? 0 : 2);
    str_add(s, pair[0]);
    put_items(s, node, notation);
    str_add(s, pair[1]);
}

static void settings_text(struct str *s, const struct node *node, enum notation notation)
{
    if (node->kind == NODE_SCALAR && notation != NOTATION_JSON) {
        str_add(s, node->text);
    } else if (node->kind != NODE_SCALAR && notation == NOTATION_R) {
        put_items(s, node, notation); /* the arguments of a call */
    } else if (node->kind == NODE_LIST && notation == NOTATION_PYTHON) {
        str_add_char(s, '(');
        put_items(s, node, notation);
        str_add(s, node->count == 1 ? ",)" : ")");
    } else {
        put_settings(s, node, notation);
    }
}

static void read_settings(struct reader *reader, const struct node *value)
{
    struct study_steer *steer = &reader->study->steer;
    enum notation notation = NOTATION_JSON;
    if (steer->code.language == LANGUAGE_PYTHON)
        notation = NOTATION_PYTHON;
    else if (steer->code.language == LANGUAGE_R)
        notation = NOTATION_R;
    struct str text = {0};
    settings_text(&text, value, notation);
    if (text.length > SETTINGS_BYTES)
        mistake(reader->mistakes, value->place,
                "'settings' is larger than 1 MiB: put them into a file, and name that file");
    steer->settings = arena_copy(&reader->study->arena, str_text(&text), text.length);
    str_free(&text);
}

/* ---- the program ---- */

static void check_file(struct reader *reader, const struct node *value)
{
    const char *file = reader->study->steer.code.file, *folder = reader->study->model.folder;
    struct stat info;
    struct str path = {0};
    if (!folder || reader->is_restored)
        return;
    str_printf(&path, "%s%s%s", file[0] == '/' ? "" : folder, file[0] == '/' ? "" : "/", file);
    if (stat(path.text, &info) != 0)
        mistake(reader->mistakes, value->place, "there is no file '%s'%s%s", shown(file).text,
                file[0] == '/' ? "" : " in ", file[0] == '/' ? "" : shown(folder).text);
    else if (!S_ISREG(info.st_mode))
        mistake(reader->mistakes, value->place, "'%s' is not a file", shown(file).text);
    else if (access(path.text, R_OK) != 0)
        mistake(reader->mistakes, value->place, "'%s' cannot be read: %s", shown(file).text,
                strerror(errno));
    str_free(&path);
}

static void read_code(struct reader *reader, const struct node *value, bool is_python)
{
    struct study_code *code = &reader->study->steer.code;
    const struct node *interpreter = node_find(reader->search, "interpreter");
    code->language = is_python ? LANGUAGE_PYTHON : LANGUAGE_R;
    code->interpreter = study_interpreter(code);
    if (interpreter)
        read_text(reader, interpreter, &code->interpreter);
    if (!read_text(reader, value, &code->file))
        return;
    reader->study->steer.name = code->file;
    check_file(reader, value);
    if (!reader->is_restored)
        check_program_at(reader, code->interpreter, interpreter ? interpreter : value);
}

static void read_program(struct reader *reader, const struct node *value)
{
    const struct node *interpreter = node_find(reader->search, "interpreter");
    struct str name = {0};
    reader->study->steer.command = read_words(reader, value);
    for (const char *const *word = reader->study->steer.command; word && *word; word++)
        str_printf(&name, "%s%s", name.length ? " " : "", *word);
    struct shown text = shown(str_text(&name));
    reader->study->steer.name = arena_copy(&reader->study->arena, text.text, strlen(text.text));
    str_free(&name);
    if (interpreter)
        mistake(reader->mistakes, interpreter->key_place,
                "'interpreter' is for 'python' and 'r': name it in the command, as in command: "
                "python3 algorithm.py");
    if (reader->study->steer.command && !reader->is_restored)
        check_program_at(reader, reader->study->steer.command[0], value);
}

/* Refuses keys that mean nothing to a steering program, which decides for itself. */
static void refuse_others(struct reader *reader, const struct node *value)
{
    static const struct {
        const char *key, *why;
    } others[] = {
        {"algorithm", "leave one of them out"},
        {"reproducible",
         "a steering program decides itself what its suggestions depend on: leave it out"},
        {"lag", "a steering program decides itself what its suggestions depend on: leave it out"},
        {"levels", "it is for grid only: leave it out"},
        {"shuffle", "it is for grid only: leave it out"},
        {"learn", "a steering program does not see other studies: leave it out, or name the study "
                  "in 'settings'"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct node *other = node_find(reader->search, others[i].key);
        if (other)
            mistake(reader->mistakes, other->key_place, "'search' has both '%s' and '%s': %s",
                    value->key, others[i].key, others[i].why);
    }
    if (reader->asktell)
        mistake(reader->mistakes, value->key_place,
                "`wick asktell` cannot use '%s': its caller asks for the trials", value->key);
    if (reader->upf)
        mistake(reader->mistakes, value->key_place,
                "a parameter file is run line by line: '%s' does not apply", value->key);
}

/* Refuses keys of a steering program if there is none. */
static bool refuse_alone(struct reader *reader)
{
    static const char *const keys[] = {"settings", "interpreter"};
    for (size_t i = 0; reader->search && i < sizeof keys / sizeof *keys; i++) {
        const struct node *value = node_find(reader->search, keys[i]);
        if (value)
            mistake(reader->mistakes, value->key_place,
                    "'%s' is for a steering program: name one, as in python: algorithm.py",
                    keys[i]);
    }
    return false;
}

bool read_steer(struct reader *reader)
{
    static const char *const keys[] = {"python", "r", "command"};
    const struct node *found = NULL;
    for (size_t i = 0; reader->search && i < sizeof keys / sizeof *keys; i++) {
        const struct node *value = node_find(reader->search, keys[i]);
        if (value && found)
            mistake(reader->mistakes, value->key_place,
                    "'search' has both '%s' and '%s': leave one of them out", found->key,
                    value->key);
        else if (value)
            found = value;
    }
    if (!found)
        return refuse_alone(reader);
    refuse_others(reader, found);
    if (strcmp(found->key, "command") == 0)
        read_program(reader, found);
    else
        read_code(reader, found, strcmp(found->key, "python") == 0);
    const struct node *settings = node_find(reader->search, "settings");
    if (settings)
        read_settings(reader, settings);
    return true;
}
