/* module.c - the script and all modules that it imports, each once. */
#include "syntax/module.h"
#include "swift_library.h"
#include "syntax/preprocess.h"

#include <unistd.h>

enum {
    MODULES = sizeof library_modules / sizeof *library_modules,
    IMPORT_DEPTH = 100, /* of modules that import each other in a row */
};

struct loader {
    struct script *script;
    struct sources *sources;
    const struct syntax_options *options;
    struct arena *arena;
    struct syntax_report *report;
    struct map seen; /* the paths of all modules that were imported, found or not */
    int depth;       /* of imports around the current module */
    bool unreadable; /* a module exists, but cannot be read */
};

/* An import: what it names, and where it stands; position 0 is the command line. */
struct import {
    const char *name; /* as it is written */
    const char *path; /* without .swift */
    uint32_t at;
};

static void load_imports(struct loader *l, const struct module *module);

/* ---- texts ---- */

const char *module_library(struct slice name)
{
    for (size_t i = 0; i < MODULES; i++)
        if (slice_is(name, library_modules[i].name))
            return (const char *)library_modules[i].text;
    return NULL;
}

/* Parses a text and loads what it imports, which comes before it in the script. */
static void load_text(struct loader *l, const char *name, size_t text, bool raw, bool builtin)
{
    struct tokens tokens = {0};
    size_t before = l->report->mistakes.count;
    struct module *module = NULL;
    lex(l->sources, text, raw, &tokens, &l->report->mistakes);
    if (l->report->mistakes.count ==
        before) /* else mistakes of the parser may only follow from these */
        module = parse(l->sources, &tokens, l->arena, l->report);
    free(tokens.items);
    if (!module)
        return;
    module->name = slice_of(name);
    module->builtin = builtin;
    load_imports(l, module);
    struct script *script = l->script;
    script->modules = memory_grow(script->modules, &script->module_capacity,
                                  script->module_count + 1, sizeof(struct module *));
    script->modules[script->module_count++] = module;
}

static bool has_room(struct loader *l, uint32_t at, size_t length)
{
    if (source_has_room(l->sources, length))
        return true;
    source_mistake(l->sources, &l->report->mistakes, at,
                   "this script is too large: with its modules, it has more than %d MB",
                   SOURCE_LIMIT >> 20);
    return false;
}

/* ---- modules in files ---- */

/* The folders where modules are looked for, one by one; the last one is the current one. */
static const char *folder(const struct loader *l, size_t number)
{
    const char *const *folders = l->options->folders;
    size_t count = 0;
    while (folders && folders[count] && count < number)
        count++;
    if (folders && folders[count])
        return folders[count];
    return count == number ? "." : NULL;
}

/* Finds the file of a module; false if there is none. */
static bool find_file(const struct loader *l, const struct import *import, struct str *file)
{
    const char *in;
    for (size_t i = 0; (in = folder(l, i)); i++) {
        str_clear(file);
        if (strcmp(in, ".") != 0)
            str_printf(file, "%s/", in);
        str_printf(file, "%s.swift", import->path);
        if (access(file->text, F_OK) == 0)
            return true;
    }
    return false;
}

static void not_found(struct loader *l, const struct import *import)
{
    const char *names[MODULES + 1] = {NULL}, *in;
    for (size_t i = 0; i < MODULES; i++)
        names[i] = library_modules[i].name;
    const char *nearest = str_nearest(import->name, names);
    struct str path = {0};
    str_add(&path, "the library");
    for (size_t i = 0; (in = folder(l, i)); i++)
        str_printf(&path, ", %s", in);
    source_mistake(l->sources, &l->report->mistakes, import->at,
                   "could not find module %s%s in the search path [%s]%s%s%s", import->name,
                   import->at ? "" : " (option -i)", path.text, nearest ? ": did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
    str_free(&path);
}

/* Warns of the first line that only the preprocessor would understand. */
static void warn_of_directives(struct loader *l, size_t text)
{
    static const char *const words[] = {"define", "include", "if"};
    struct source_text *source = &l->sources->texts[text];
    const char *at = source->text.text, *line = at;
    while (line) {
        const char *word = line + 1 + strspn(line[0] == '#' ? line + 1 : "", " \t");
        for (size_t i = 0; line[0] == '#' && i < sizeof words / sizeof *words; i++)
            if (strncmp(word, words[i], strlen(words[i])) == 0) {
                source_mistake(l->sources, &l->report->warnings,
                               source->first + (uint32_t)(line - at),
                               "modules are not preprocessed: this line has no effect");
                return;
            }
        line = memchr(line, '\n', source->text.length - (size_t)(line - at));
        line = line ? line + 1 : NULL;
    }
}

static void load_file(struct loader *l, const struct import *import, const char *file)
{
    struct str text = {0};
    struct err e = {0};
    int failed = str_read_regular(&text, file, SOURCE_LIMIT, &e);
    if (failed) {
        source_mistake(l->sources, &l->report->mistakes, import->at, "%s", e.message);
        l->unreadable |= failed == ERR_SYSTEM;
    } else if (has_room(l, import->at, text.length)) {
        size_t number = source_add_plain(l->sources, file, (struct slice){text.text, text.length});
        str_free(&text);
        warn_of_directives(l, number);
        load_text(l, import->name, number, true, false);
    }
    str_free(&text);
}

/* ---- imports ---- */

static void load_library(struct loader *l, const struct import *import, const char *text)
{
    struct slice all = slice_of(text);
    const char *file = arena_printf(l->arena, "library/%s.swift", import->path);
    if (has_room(l, import->at, all.length))
        load_text(l, import->name, source_add_plain(l->sources, file, all), true, true);
}

static void load_module(struct loader *l, const struct import *import)
{
    struct str file = {0};
    const char *library = module_library(slice_of(import->path));
    if (l->depth >= IMPORT_DEPTH) {
        source_mistake(l->sources, &l->report->mistakes, import->at,
                       "more than %d modules import each other in a row", IMPORT_DEPTH);
        return;
    }
    l->depth++;
    if (library)
        load_library(l, import, library);
    else if (find_file(l, import, &file))
        load_file(l, import, file.text);
    else
        not_found(l, import);
    str_free(&file);
    l->depth--;
}

/* Imports a module unless that has been done. Points separate folders, except in quotes. */
static void load_import(struct loader *l, struct slice name, bool quoted, uint32_t at)
{
    char *path = arena_copy(l->arena, name.text, name.length);
    struct import import = {
        .name = arena_copy(l->arena, name.text, name.length), .path = path, .at = at};
    if (strlen(path) < name.length) {
        source_mistake(l->sources, &l->report->mistakes, at,
                       "the name of a module cannot contain a zero byte");
        return;
    }
    for (; !quoted && *path; path++)
        if (*path == '.')
            *path = '/';
    if (map_find(&l->seen, slice_of(import.path)) != MAP_NONE)
        return;
    map_add(&l->seen, slice_of(import.path), 0);
    load_module(l, &import);
}

static void load_imports(struct loader *l, const struct module *module)
{
    for (size_t i = 0; i < module->item_count; i++)
        if (module->items[i].kind == ITEM_IMPORT)
            load_import(l, module->items[i].name, module->items[i].quoted, module->items[i].at);
}

/* ---- the script ---- */

/* Loads the script itself, preprocessed unless the options forbid it. */
static void load_script(struct loader *l, const char *name, struct slice text)
{
    struct preprocessed made = {0};
    if (!has_room(l, 0, text.length))
        return;
    if (l->options->raw) {
        load_text(l, "", source_add_plain(l->sources, name, text), true, false);
        return;
    }
    int failed = preprocess(l->sources, name, text, l->options, &made, l->report);
    if (failed == ERR_SYSTEM)
        l->unreadable = true;
    else if (!failed && has_room(l, 0, made.text.length)) {
        struct slice all = {str_text(&made.text), made.text.length};
        size_t number = source_add_text(l->sources, all, made.segments, made.count);
        load_text(l, "", number, false, false);
    }
    preprocessed_free(&made);
}

int module_load(struct script *script, struct sources *sources, const char *name, struct slice text,
                const struct syntax_options *options, struct arena *arena,
                struct syntax_report *report)
{
    struct loader l = {
        .script = script, .sources = sources, .options = options, .arena = arena, .report = report};
    load_import(&l, slice_of("builtins"), false, 0);
    for (size_t i = 0; options->imports && options->imports[i]; i++)
        load_import(&l, slice_of(options->imports[i]), false, 0);
    load_script(&l, name, text);
    map_free(&l.seen);
    return l.unreadable ? ERR_SYSTEM : report->mistakes.count > 0 ? ERR_USER : 0;
}

void syntax_report_free(struct syntax_report *report)
{
    err_list_free(&report->mistakes);
    err_list_free(&report->warnings);
}
