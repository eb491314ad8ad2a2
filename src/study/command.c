/* command.c - the command of a model: its words, the {names} in them, its program. */
#include "study/read.h"

#include "script/script.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 1000 };

/* ---- words ---- */

/*
 * A command given as one text is split into words as a shell does it; nothing else works as in a
 * shell.
 */
struct splitter {
    struct reader *reader;
    const struct node *value;
    const char *p;
    struct str word;
    bool in_word;
    const char **words;
    size_t *starts;
    size_t count;
};

static void end_word(struct splitter *s)
{
    if (s->in_word && s->count < WORDS)
        s->words[s->count++] =
            arena_copy(&s->reader->study->arena, str_text(&s->word), s->word.length);
    str_clear(&s->word);
    s->in_word = false;
}

static bool split_mistake(struct splitter *s, const char *message)
{
    size_t offset = (size_t)(s->p - s->value->text);
    mistake(s->reader->mistakes, place_inside(s->value, offset), "%s", message);
    return false;
}

/* Takes quoted text; in double quotes, a backslash escapes ", \, $ and `. */
static bool take_quoted(struct splitter *s)
{
    char quote = *s->p;
    const char *p = s->p + 1;
    for (; *p && *p != quote; p++) {
        if (quote == '"' && *p == '\\' && p[1] && strchr("\"\\$`", p[1]))
            p++;
        str_add_char(&s->word, *p);
    }
    if (!*p)
        return split_mistake(s, quote == '"' ? "this quote \" is never closed"
                                             : "this quote ' is never closed");
    s->p = p + 1;
    return true;
}

static bool is_operator(const char *p)
{
    bool name = (p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z');
    return strchr("|<>&;`", *p) || (*p == '$' && (name || (p[1] && strchr("({_", p[1]))));
}

static bool refuse_operator(struct splitter *s)
{
    char text[3] = {*s->p, *s->p == '$' && s->p[1] == '(' ? '(' : 0, 0};
    size_t offset = (size_t)(s->p - s->value->text);
    mistake(s->reader->mistakes, place_inside(s->value, offset),
            "'%s' means something only to a shell, but Wick starts programs directly: put it in "
            "single quotes, or write bash -c '...' if you want a shell",
            text);
    return false;
}

static bool take_character(struct splitter *s)
{
    if (!s->in_word && s->count < WORDS)
        s->starts[s->count] = (size_t)(s->p - s->value->text);
    s->in_word = true;
    if (*s->p == '\'' || *s->p == '"')
        return take_quoted(s);
    if (is_operator(s->p))
        return refuse_operator(s);
    if (*s->p == '\\') {
        if (!s->p[1])
            return split_mistake(s, "a backslash at the end has nothing to escape: leave it out");
        s->p++;
    }
    str_add_char(&s->word, *s->p++);
    return true;
}

static const char *const *split(struct reader *reader, const struct node *value)
{
    struct arena *arena = &reader->study->arena;
    struct splitter s = {.reader = reader,
                         .value = value,
                         .p = value->text,
                         .words = arena_new(arena, WORDS + 1, sizeof *s.words),
                         .starts = arena_new(arena, WORDS + 1, sizeof *s.starts)};
    bool good = true;
    while (good && *s.p) {
        if (s.p[0] == '\\' && s.p[1] == '\n') {
            s.p += 2;
        } else if (strchr(" \t\r\n", *s.p)) {
            end_word(&s);
            s.p++;
        } else {
            good = take_character(&s);
        }
    }
    end_word(&s);
    str_free(&s.word);
    reader->word_starts = s.starts;
    return good ? s.words : NULL;
}

static const char *const *take_list(struct reader *reader, const struct node *value)
{
    size_t count = value->count < WORDS ? value->count : WORDS;
    const char **words = arena_new(&reader->study->arena, count + 1, sizeof *words);
    const struct node *item = value->first;
    bool good = true;
    for (size_t i = 0; i < count; i++, item = item->next) {
        words[i] = item->text;
        if (item->kind != NODE_SCALAR || (item->plain && item->text[0] == 0)) {
            mistake(reader->mistakes, item->place, "a word of the command must be text, not %s",
                    item->kind == NODE_SCALAR ? "nothing" : node_kind_name(item));
            good = false;
        }
    }
    return good ? words : NULL;
}

const char *const *read_words(struct reader *reader, const struct node *value)
{
    const char *const *words = NULL;
    if (value->kind == NODE_MAP) {
        mistake(reader->mistakes, value->place,
                "'command' must be text or a list, not a mapping: a command that starts with { "
                "needs quotes");
        return NULL;
    }
    words = value->kind == NODE_LIST ? take_list(reader, value) : split(reader, value);
    if (!words)
        return NULL;
    size_t count = 0;
    while (words[count])
        count++;
    if (count == 0 || words[0][0] == 0)
        mistake(reader->mistakes, value->key_place,
                "'command' names no program: write it as in command: python3 train.py");
    else if (value->count > WORDS || count == WORDS)
        mistake(reader->mistakes, value->place, "'command' has more than %d words", WORDS - 1);
    else
        return words;
    return NULL;
}

void read_command(struct reader *reader, const struct node *value)
{
    reader->command = value;
    reader->study->model.command = read_words(reader, value);
}

/* ---- names in braces ---- */

/* The end of the name at p; NULL if there is none. */
static const char *skip_name(const char *p)
{
    const char *from = p;
    while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' ||
           (p > from && ((*p >= '0' && *p <= '9') || *p == '.' || *p == '-')))
        p++;
    return p > from ? p : NULL;
}

enum study_piece study_next_piece(const char **at, struct slice *piece)
{
    const char *from = *at, *p = from;
    for (; *p; p++) {
        if (*p == '$' && p[1] == '{') {
            p++; /* a shell variable */
            continue;
        }
        if (*p != '{')
            continue;
        bool twice = p[1] == '{';
        const char *name = p + 1 + twice, *end = skip_name(name);
        if (!end || *end != '}' || (twice && end[1] != '}'))
            continue;
        if (p > from)
            break; /* the text before it comes first */
        *piece = twice ? (struct slice){p + 1, (size_t)(end - p)}
                       : (struct slice){name, (size_t)(end - name)};
        *at = end + 1 + twice;
        return twice ? PIECE_TEXT : PIECE_NAME;
    }
    *piece = (struct slice){from, (size_t)(p - from)};
    *at = p;
    return p > from ? PIECE_TEXT : PIECE_END;
}

/* The place of the {name} at `offset` of word number `index`. */
static struct place place_in_command(const struct reader *reader, size_t index, const char *brace)
{
    const struct node *value = reader->command;
    if (value->kind == NODE_LIST) {
        const struct node *item = value->first;
        for (size_t i = 0; i < index; i++)
            item = item->next;
        return place_inside(item, (size_t)(brace - item->text));
    }
    /* Quotes may have been removed, so the name is looked for in the text as it was written. */
    size_t length = strcspn(brace, "}") + 1;
    const char *p = value->text + reader->word_starts[index];
    while (*p && strncmp(p, brace, length) != 0)
        p++;
    return place_inside(value, *p ? (size_t)(p - value->text) : 0);
}

static void unknown_name(struct reader *reader, struct place place, const char *name)
{
    static const char *const built_in[] = {"trial", "params", "result", "dir", "seed"};
    const struct space *space = &reader->study->space;
    size_t count = space->count;
    const char **names = memory_new(count + 6, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = space->parameters[i].name;
    memcpy(names + count, built_in, sizeof built_in);
    const char *nearest = str_nearest(name, names);
    free(names);
    if (nearest)
        mistake(reader->mistakes, place, "unknown name {%s} in the command: did you mean {%s}?",
                shown(name).text, nearest);
    else
        mistake(reader->mistakes, place,
                "unknown name {%s} in the command: it is neither a parameter nor trial, params, "
                "result, dir, checkpoint or seed; for plain text in braces, write {{%s}}",
                shown(name).text, shown(name).text);
}

/* Checks one {name}; true if it is a parameter. */
static bool check_name(struct reader *reader, struct slice piece, size_t index)
{
    struct study *study = reader->study;
    char name[READ_NAME + 1] = "";
    if (piece.length <= READ_NAME)
        memcpy(name, piece.text, piece.length);
    bool is_parameter = space_find(&study->space, name);
    bool built_in = is_built_in(name);
    struct place place = place_in_command(reader, index, piece.text - 1);
    if (is_parameter && built_in)
        mistake(reader->mistakes, place,
                "{%s} is ambiguous, since the parameter file has a key of this name: pass the "
                "parameters as flags",
                name);
    else if (is_parameter && reader->pass && study->model.pass != PASS_TEMPLATE)
        mistake(reader->mistakes, place, "{%s} is only replaced with pass: template", name);
    else if (!is_parameter && !built_in)
        unknown_name(reader, place, piece.length <= READ_NAME ? name : "...");
    study->model.wants_params_file |= strcmp(name, "params") == 0;
    study->model.wants_dir |= strcmp(name, "dir") == 0;
    return is_parameter;
}

void check_command(struct reader *reader)
{
    struct study_model *model = &reader->study->model;
    bool has_parameter = false;
    if (!model->command || reader->study->space.count == 0)
        return;
    for (size_t i = 0; model->command[i]; i++) {
        const char *at = model->command[i];
        struct slice piece;
        enum study_piece kind;
        while ((kind = study_next_piece(&at, &piece)) != PIECE_END)
            if (kind == PIECE_NAME && check_name(reader, piece, i))
                has_parameter = true;
    }
    if (!reader->pass)
        model->pass = has_parameter ? PASS_TEMPLATE : PASS_FLAGS;
    else if (model->pass == PASS_TEMPLATE && !has_parameter)
        mistake(reader->mistakes, reader->pass->place,
                "pass: template needs a parameter in the command, as in --%s {%s}",
                reader->study->space.parameters[0].name, reader->study->space.parameters[0].name);
}

/* ---- the program ---- */

enum found { NOT_FOUND, NOT_EXECUTABLE, IS_FOLDER, FOUND };

/* Where that cannot be told, the start of the first trial will say why. */
static enum found look_at(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return err_is_outage(errno) ? FOUND : NOT_FOUND;
    if (S_ISDIR(info.st_mode))
        return IS_FOLDER;
    return access(path, X_OK) == 0 || err_is_outage(errno) ? FOUND : NOT_EXECUTABLE;
}

static const char *search_path(const struct study_model *model)
{
    for (size_t i = 0; i < model->environment_count; i++)
        if (strcmp(model->environment[i].name, "PATH") == 0)
            return model->environment[i].value;
    const char *path = getenv("PATH");
    return path ? path : "/usr/local/bin:/usr/bin:/bin";
}

static bool is_on_path(const struct study_model *model, const char *program)
{
    struct str file = {0};
    bool found = false;
    for (const char *p = search_path(model); !found && *p;) {
        size_t length = strcspn(p, ":");
        str_clear(&file);
        if (*p != '/')
            str_printf(&file, "%s/", model->folder);
        str_printf(&file, "%.*s/%s", (int)length, p, program);
        found = look_at(file.text) == FOUND;
        p += length + (p[length] == ':');
    }
    str_free(&file);
    return found;
}

/*
 * True for a program of the image. Only a path relative to the folder of the study, which is
 * visible inside, must exist here.
 */
static bool is_inside(const struct reader *reader, const char *program)
{
    const struct study_container *container = &reader->study->container;
    bool is_named_here = program[0] != '/' && strchr(program, '/') && !container->workdir;
    return container->image && !is_named_here;
}

void check_program(struct reader *reader)
{
    const struct study_model *model = &reader->study->model;
    const struct node *node = reader->command;
    const char *program = model->command ? model->command[0] : NULL;
    check_code_language(reader);
    check_code_file(reader);
    if (!program && reader->code) {
        program = model->code.interpreter;
        node = reader->interpreter ? reader->interpreter : reader->code;
    }
    if (program && !strchr(program, '{') && !is_inside(reader, program))
        check_program_at(reader, program, node);
}

void check_program_at(struct reader *reader, const char *program, const struct node *value)
{
    const struct study_model *model = &reader->study->model;
    if (!model->folder)
        return;
    struct shown name = shown(program);
    struct place place = value->kind == NODE_LIST ? value->first->place : value->place;
    struct str file = {0};
    str_printf(&file, "%s%s%s", program[0] == '/' ? "" : model->folder,
               program[0] == '/' ? "" : "/", program);
    enum found found = look_at(file.text);
    str_free(&file);
    if (!strchr(program, '/') && is_on_path(model, program))
        return;
    if (!strchr(program, '/') && (found == FOUND || found == NOT_EXECUTABLE))
        mistake(reader->mistakes, place,
                "the program '%s' is not on PATH, but in the folder where trials run: write ./%s",
                name.text, name.text);
    else if (!strchr(program, '/'))
        mistake(reader->mistakes, place, "the program '%s' is not on PATH", name.text);
    else if (found == IS_FOLDER)
        mistake(reader->mistakes, place, "'%s' is a folder, not a program", name.text);
    else if (found == NOT_EXECUTABLE)
        mistake(
            reader->mistakes, place,
            "'%s' is not executable: run chmod +x on it, or name what runs it, as in python3 %s",
            name.text, name.text);
    else if (found == NOT_FOUND && program[0] == '/')
        mistake(reader->mistakes, place, "there is no program '%s'", name.text);
    else if (found == NOT_FOUND)
        mistake(reader->mistakes, place, "there is no program '%s' in %s", name.text,
                shown(model->folder).text);
}

/* ---- the script ---- */

void missing_file(struct reader *reader, struct err_list *list, struct place place,
                  const char *name)
{
    struct arena *arena = &reader->study->arena;
    const char *folder = reader->study->model.folder;
    const char *nearest = script_nearest(arena, script_path(arena, folder, name));
    const char *slash = strrchr(name, '/');
    struct str text = {0};
    str_printf(&text, "there is no file '%s'", shown(name).text);
    if (name[0] != '/')
        str_printf(&text, " in %s", shown(folder).text);
    else if (list == &reader->study->notes)
        str_add(&text, " here: the machines that run the trials must have it");
    if (name[0] != '/' && access(name, F_OK) == 0)
        str_add(&text, ", where the trials run, but in the current folder: run them there with "
                       "--folder . (or 'folder' in 'model')");
    else if (nearest)
        str_printf(&text, ": did you mean '%.*s%s'?", slash ? (int)(slash + 1 - name) : 0, name,
                   shown(nearest).text);
    mistake(list, place, "%s", text.text);
    str_free(&text);
}

static struct place place_of_word(const struct reader *reader, size_t index)
{
    const struct node *value = reader->command;
    if (value->kind != NODE_LIST)
        return place_inside(value, reader->word_starts[index]);
    const struct node *item = value->first;
    for (; index > 0; index--)
        item = item->next;
    return item->place;
}

/* True if the file may exist on other machines: this one does not even have its folder. */
static bool may_be_elsewhere(const struct reader *reader, const char *name)
{
    const char *slash = strrchr(name, '/');
    struct arena *arena = &reader->study->arena;
    return reader->elsewhere && name[0] == '/' && slash > name &&
           access(arena_copy(arena, name, (size_t)(slash - name)), F_OK) != 0;
}

/* True if the command has {name} in it. */
static bool has_name(const char *const *command, const char *name)
{
    for (; *command; command++) {
        const char *at = *command;
        struct slice piece;
        enum study_piece kind;
        while ((kind = study_next_piece(&at, &piece)) != PIECE_END)
            if (kind == PIECE_NAME && slice_is(piece, name))
                return true;
    }
    return false;
}

/* Notes a parameter that the command leaves out; the script may still read WICK_PARAMS. */
static void note_left_out(struct reader *reader, const struct node *item,
                          const struct script *script)
{
    const struct study_model *model = &reader->study->model;
    for (const char *const *word = model->command; *word; word++)
        if (strstr(*word, "WICK_PARAMS"))
            return;
    /* A script that declares its options does not get them without their braces. */
    bool may_read = script && !script->is_closed && script_mentions(script, item->key);
    bool is_read = may_read || (script && script_reads_params(script));
    if (!is_read && !model->wants_params_file && !has_name(model->command, item->key))
        mistake(&reader->study->notes, item->key_place,
                "'%s' is not in the command, which gets only the parameters in braces: write {%s} "
                "where its value belongs",
                item->key, item->key);
}

/* Notes a parameter that is passed as an option which the script does not have. */
static void note_not_taken(struct reader *reader, const struct node *item,
                           const struct script *script, const char *name)
{
    const char *meant;
    struct err_list *notes = &reader->study->notes;
    if (!script || script_takes(script, item->key, &meant))
        return;
    if (meant)
        mistake(notes, item->key_place, "%s gets --%s, but has no such option: did you mean '%s'?",
                shown(name).text, item->key, shown(meant).text);
    else
        mistake(notes, item->key_place, "%s gets --%s, but never mentions it", shown(name).text,
                item->key);
}

/* Notes a text for a shell to which the parameters are passed in vain. */
static void note_shell_text(struct reader *reader)
{
    const struct study *study = reader->study;
    struct err_list *notes = &reader->study->notes;
    size_t index;
    enum script_use use = script_shell_text(study->model.command, &index);
    if (study->model.pass != PASS_FLAGS || study->space.count == 0)
        return;
    if (use == SCRIPT_IGNORES)
        mistake(notes, place_of_word(reader, index),
                "the parameters follow this text as its arguments, but it uses none of them: write "
                "{%s} where the value belongs",
                study->space.parameters[0].name);
    else if (use == SCRIPT_SKIPS_ONE)
        mistake(notes, place_of_word(reader, index),
                "the first word after this text becomes its $0 and is missing in its $@: add a "
                "word, as in bash -c '...' bash");
}

static void check_parameters(struct reader *reader, const char *name, const char *path)
{
    const struct study_model *model = &reader->study->model;
    struct script script;
    bool is_read = path && script_read(&script, path);
    const struct node *item = reader->parameters ? reader->parameters->first : NULL;
    for (; item && !reader->upf; item = item->next) {
        if (model->ranks_parameter && strcmp(item->key, model->ranks_parameter->name) == 0)
            continue; /* Wick itself uses it */
        if (model->pass == PASS_TEMPLATE)
            note_left_out(reader, item, is_read ? &script : NULL);
        else if (model->pass == PASS_FLAGS)
            note_not_taken(reader, item, is_read ? &script : NULL, name);
    }
    if (is_read)
        script_free(&script);
}

/* A script of the image cannot be seen from here, unless it is in the folder of the study. */
void check_script(struct reader *reader)
{
    struct study_model *model = &reader->study->model;
    const struct study_container *container = &reader->study->container;
    size_t index;
    if (!model->command || !model->folder)
        return;
    enum script_sight sight = script_find(model->command, model->folder, &index);
    const char *name = model->command[index];
    const char *path = script_path(&reader->study->arena, model->folder, name);
    bool is_file = sight != SCRIPT_NONE || strchr(name, '/');
    if (container->image && (name[0] == '/' || container->workdir))
        is_file = false;
    bool is_found = access(path, F_OK) == 0 || err_is_outage(errno) ||
                    (!strchr(name, '/') && is_on_path(model, name));
    if (!is_file || is_found) {
        if (reader->mistakes->count > 0)
            return;
        note_shell_text(reader);
        check_parameters(reader, name, is_file ? path : NULL);
        return;
    }
    if (sight == SCRIPT_NONE || model->code.language)
        return; /* that was reported already */
    bool is_sure = sight == SCRIPT_SURE && !may_be_elsewhere(reader, name);
    missing_file(reader, is_sure ? reader->mistakes : &reader->study->notes,
                 place_of_word(reader, index), name);
}
