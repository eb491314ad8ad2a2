/* directive.c - what the lines that start with # do. */
#include "syntax/preprocess_private.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

enum { INCLUDE_DEPTH = 100, INCLUDE_COUNT = 10000, NOTHING = -1 };

/* A directive that is run. */
struct directive {
    struct preprocessor *p;
    struct reader *reader;
    const char *at, *name; /* place of its #, and "#if" */
    int line;              /* its number, without #line */
    bool skips;            /* the lines up to #elif, #else or #endif are skipped */
    int64_t includes;      /* number of an included file, or NOTHING */
};

/* Warns about text after a complete directive. */
static void expect_end(struct directive *d)
{
    struct piece piece;
    scan(d->reader, &piece);
    if (piece.kind != PIECE_END)
        preprocess_warning(d->p, piece.text.text, "extra text after %s is ignored", d->name);
}

/* ---- definitions and messages ---- */

static void run_define(struct directive *d)
{
    macro_define(d->p, d->reader);
}

static void run_undef(struct directive *d)
{
    struct piece name;
    scan(d->reader, &name);
    macro_undefine(d->p, &name);
    if (name.kind == PIECE_NAME)
        expect_end(d);
}

/* Appends the rest of the line, without comments. */
static void add_rest(struct directive *d, struct str *text)
{
    struct piece piece;
    for (scan(d->reader, &piece); piece.kind != PIECE_END; scan(d->reader, &piece)) {
        str_add(text, piece.space ? " " : "");
        str_add_bytes(text, piece.text.text, piece.text.length);
    }
    d->reader->open_quote = NULL; /* quotes need no partners in prose */
}

static void run_error(struct directive *d)
{
    struct str text = {0};
    add_rest(d, &text);
    preprocess_mistake(d->p, d->at, "#error%s", str_text(&text));
    str_free(&text);
}

static void run_warning(struct directive *d)
{
    struct str text = {0};
    add_rest(d, &text);
    preprocess_warning(d->p, d->at, "#warning%s", str_text(&text));
    str_free(&text);
}

static void run_pragma(struct directive *d)
{
    struct str text = {0};
    add_rest(d, &text);
    if (strcmp(str_text(&text), " once") == 0)
        d->p->included[preprocess_input(d->p)->included].once = true;
    str_free(&text);
}

/* ---- conditions ---- */

/* Opens a condition. */
static void open_condition(struct directive *d, bool holds)
{
    struct preprocessor *p = d->p;
    p->conditions = memory_grow(p->conditions, &p->condition_capacity, p->condition_count + 1,
                                sizeof *p->conditions);
    p->conditions[p->condition_count++] =
        (struct condition){.at = d->at, .name = d->name, .taken = holds};
    d->skips = !holds;
}

static void run_if(struct directive *d)
{
    open_condition(d, condition_holds(d->p, d->reader, d->at));
}

/* Reads the name after #ifdef; true if it is a macro. */
static bool read_defined(struct directive *d)
{
    struct piece name;
    scan(d->reader, &name);
    if (name.kind == PIECE_NAME)
        expect_end(d);
    else
        preprocess_mistake(d->p, d->at, "%s must be followed by a macro name", d->name);
    return name.kind == PIECE_NAME && macro_find(d->p, name.text);
}

static void run_ifdef(struct directive *d)
{
    open_condition(d, read_defined(d));
}

static void run_ifndef(struct directive *d)
{
    open_condition(d, !read_defined(d));
}

/* The condition to which #elif, #else or #endif belongs; NULL after a mistake. */
static struct condition *innermost(struct directive *d)
{
    struct preprocessor *p = d->p;
    if (p->condition_count > preprocess_input(p)->conditions)
        return &p->conditions[p->condition_count - 1];
    preprocess_mistake(p, d->at, "%s without #if", d->name);
    return NULL;
}

/* Starts another branch; it counts if none did before and `reads` says so. */
static void turn(struct directive *d, bool (*reads)(struct directive *d))
{
    struct condition *condition = innermost(d);
    if (!condition)
        return;
    d->skips = true;
    if (condition->last)
        preprocess_mistake(d->p, d->at, "%s after #else", d->name);
    else if (!condition->taken)
        d->skips = !reads(d);
    condition->taken = condition->taken || !d->skips;
}

static bool read_condition(struct directive *d)
{
    return condition_holds(d->p, d->reader, d->at);
}

static bool read_undefined(struct directive *d)
{
    return !read_defined(d);
}

static bool read_nothing(struct directive *d)
{
    (void)d;
    return true;
}

static void run_elif(struct directive *d)
{
    turn(d, read_condition);
}

static void run_elifdef(struct directive *d)
{
    turn(d, read_defined);
}

static void run_elifndef(struct directive *d)
{
    turn(d, read_undefined);
}

static void run_else(struct directive *d)
{
    turn(d, read_nothing);
    if (d->p->condition_count > preprocess_input(d->p)->conditions)
        d->p->conditions[d->p->condition_count - 1].last = true;
    expect_end(d);
}

static void run_endif(struct directive *d)
{
    if (innermost(d))
        d->p->condition_count--;
    expect_end(d);
}

void directive_close(struct preprocessor *p)
{
    while (p->condition_count > preprocess_input(p)->conditions) {
        const struct condition *open = &p->conditions[--p->condition_count];
        preprocess_mistake(p, open->at, "%s is never closed: #endif is missing", open->name);
    }
}

/* ---- #line ---- */

/* The name between quotes. */
static struct slice without_quotes(struct slice text)
{
    return (struct slice){text.text + 1, text.length - 2};
}

/* Applies #line LINE "FILE", or # LINE "FILE" as other preprocessors write it. */
static void set_line(struct directive *d, const struct piece *items, size_t count)
{
    struct input *input = preprocess_input(d->p);
    int64_t line = 0;
    bool is_number = count > 0 && items[0].kind == PIECE_NUMBER;
    for (size_t i = 0; is_number && i < items[0].text.length; i++) {
        char c = items[0].text.text[i];
        is_number = c >= '0' && c <= '9' && line <= INT_MAX;
        line = line * 10 + (c - '0');
    }
    if (!is_number || line > INT_MAX || (count > 1 && items[1].kind != PIECE_STRING)) {
        preprocess_mistake(
            d->p, d->at,
            "#line takes a number up to %d and optionally a file, as in #line 5 \"a.swift\"",
            INT_MAX);
        return;
    }
    const char *name = d->p->sources->files[input->shown_file].name;
    if (count > 1) {
        struct slice text = without_quotes(items[1].text);
        const char *given = arena_copy(&d->p->arena, text.text, text.length);
        name = given[0] ? given : name;
    }
    /* A file without text: messages cannot show its lines. */
    uint32_t file = source_add_file(d->p->sources, name, (struct slice){"", 0});
    input->line_shift = line - d->line - 1;
    input->shown_file = file;
}

static void run_line(struct directive *d)
{
    struct pieces line = {0};
    macro_expand_line(d->p, d->reader, false, &line);
    set_line(d, line.items, line.count);
    free(line.items);
}

/* ---- #include ---- */

/* Reads what macros make of the line: "name", or < name >. */
static bool read_made_name(struct directive *d, struct str *name, bool *quoted)
{
    struct pieces line = {0};
    macro_expand_line(d->p, d->reader, false, &line);
    const struct piece *items = line.items;
    *quoted = line.count > 0 && items[0].kind == PIECE_STRING;
    bool good = *quoted;
    if (*quoted) {
        struct slice text = without_quotes(items[0].text);
        str_add_bytes(name, text.text, text.length);
    } else if (line.count > 0 && piece_is(&items[0], "<")) {
        for (size_t i = 1; i < line.count && !good; i++) {
            good = piece_is(&items[i], ">");
            if (!good)
                str_add_bytes(name, items[i].text.text, items[i].text.length);
        }
    }
    free(line.items);
    return good;
}

/* Reads "name" or <name>; false if there is neither. */
static bool read_file_name(struct directive *d, struct str *name, bool *quoted)
{
    const char *at = d->reader->at + strspn(d->reader->at, " \t");
    if (*at != '"' && *at != '<')
        return read_made_name(d, name, quoted);
    *quoted = *at == '"';
    const char *from = at + 1, *to = from + strcspn(from, *quoted ? "\"\n" : ">\n");
    if (*to != (*quoted ? '"' : '>'))
        return false;
    str_add_bytes(name, from, (size_t)(to - from));
    d->reader->at = to + 1;
    expect_end(d);
    return true;
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* Finds a file next to the one that is read, in the folders of -I, or in the current folder. */
static bool find_file(struct directive *d, const char *name, bool quoted, struct str *path)
{
    struct preprocessor *p = d->p;
    const char *const none = NULL, *const *folders = p->options->folders;
    if (quoted && name[0] != '/') {
        uint32_t file = p->included[preprocess_input(p)->included].file;
        const char *reading = p->sources->files[file].name, *slash = strrchr(reading, '/');
        str_add_bytes(path, reading, slash ? (size_t)(slash - reading) + 1 : 0);
        str_add(path, name);
        if (is_file(path->text))
            return true;
    }
    for (folders = folders && name[0] != '/' ? folders : &none; *folders; folders++) {
        str_clear(path);
        str_printf(path, "%s/%s", *folders, name);
        if (is_file(path->text))
            return true;
    }
    str_clear(path);
    str_add(path, name);
    return is_file(name);
}

/* Reads a file, if it is new; returns its index among the included ones, or NOTHING. */
static int64_t read_file(struct directive *d, const char *at, const char *path)
{
    struct preprocessor *p = d->p;
    int64_t known = map_find(&p->paths, slice_of(path));
    if (known != MAP_NONE)
        return known;
    struct str text = {0};
    struct err e = {0};
    size_t index = 0;
    int code = str_read_regular(&text, path, SOURCE_LIMIT / 2, &e);
    if (code) {
        preprocess_mistake(p, at, "%s", e.message);
        p->result = code;
    } else {
        uint32_t file =
            source_add_file(p->sources, path, (struct slice){str_text(&text), text.length});
        index = preprocess_add_included(p, file);
        map_add(&p->paths, slice_of(p->sources->files[file].name), (uint32_t)index);
    }
    str_free(&text);
    return code ? NOTHING : (int64_t)index;
}

/* Checks that one more file may be included; false after a mistake. */
static bool check_limits(struct directive *d, int64_t included)
{
    struct preprocessor *p = d->p;
    const char *path = p->sources->files[p->included[included].file].name;
    bool is_open = false;
    for (size_t i = 0; i < p->input_count; i++)
        is_open = is_open || p->inputs[i].included == (size_t)included;
    if (p->collecting)
        preprocess_mistake(p, d->at, "#include is not allowed in the arguments of a macro");
    else if (p->input_count >= INCLUDE_DEPTH)
        preprocess_mistake(p, d->at,
                           is_open ? "%s includes itself endlessly: put #pragma once at its start"
                                   : "%s is included too deep in other files",
                           path);
    else if (p->inclusions++ >= INCLUDE_COUNT)
        preprocess_mistake(p, d->at, "more than %d files are included", INCLUDE_COUNT);
    else
        return true;
    p->stopped = !p->collecting;
    return false;
}

static void wrong_file(struct directive *d, const char *at, const char *name, bool quoted)
{
    const char *dot = strrchr(name, '.');
    bool is_module = !quoted && !strchr(name, '/') && dot && strcmp(dot, ".swift") == 0;
    preprocess_mistake(
        d->p, at, "cannot find %s %sin the folders of -I or in the current folder%s", name,
        quoted ? "next to this file, " : "",
        is_module ? ": modules of the standard library are imported, as in import io;" : "");
}

static void run_include(struct directive *d)
{
    struct str name = {0}, path = {0};
    bool quoted = false;
    const char *at = d->reader->at + strspn(d->reader->at, " \t");
    if (!read_file_name(d, &name, &quoted) || name.length == 0 ||
        strlen(name.text) != name.length) {
        preprocess_mistake(d->p, d->at,
                           "a file name must follow #include, as in #include \"a.swift\"");
    } else if (!find_file(d, name.text, quoted, &path)) {
        wrong_file(d, at, name.text, quoted);
    } else {
        int64_t included = read_file(d, at, path.text);
        bool wanted = included != NOTHING && !d->p->included[included].once;
        if (wanted && check_limits(d, included))
            d->includes = included;
    }
    str_free(&name);
    str_free(&path);
}

/* ---- all of them ---- */

static const struct {
    const char *name; /* with its #, as messages show it */
    void (*run)(struct directive *d);
    bool opens, turns; /* it starts a condition; it ends a branch of one */
} directives[] = {
    {"#define", run_define, false, false},   {"#elif", run_elif, false, true},
    {"#elifdef", run_elifdef, false, true},  {"#elifndef", run_elifndef, false, true},
    {"#else", run_else, false, true},        {"#endif", run_endif, false, true},
    {"#error", run_error, false, false},     {"#if", run_if, true, false},
    {"#ifdef", run_ifdef, true, false},      {"#ifndef", run_ifndef, true, false},
    {"#include", run_include, false, false}, {"#line", run_line, false, false},
    {"#pragma", run_pragma, false, false},   {"#undef", run_undef, false, false},
    {"#warning", run_warning, false, false},
};

enum { DIRECTIVES = sizeof directives / sizeof *directives };

/* The directive of a name; DIRECTIVES if there is none. */
static size_t find(struct slice name)
{
    size_t i = 0;
    while (i < DIRECTIVES && !slice_is(name, directives[i].name + 1))
        i++;
    return i;
}

bool directive_at(const char *line)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return false;
    line += 1 + strspn(line + 1, " \t");
    return find((struct slice){line, strspn(line, "abcdefghijklmnopqrstuvwxyz")}) < DIRECTIVES;
}

static void wrong_directive(struct directive *d, const struct piece *name)
{
    const char *names[DIRECTIVES + 1] = {0};
    for (size_t i = 0; i < DIRECTIVES; i++)
        names[i] = directives[i].name;
    struct str word = {0};
    str_add_char(&word, '#');
    str_add_bytes(&word, name->text.text, name->text.length < 40 ? name->text.length : 40);
    const char *nearest = name->kind == PIECE_NAME ? str_nearest(word.text, names) : NULL;
    if (nearest)
        preprocess_mistake(d->p, d->at, "unknown directive '%s': did you mean '%s'?", word.text,
                           nearest);
    else
        preprocess_mistake(d->p, d->at, "unknown directive '%s': comments start with //",
                           word.text);
    str_free(&word);
}

/* Skips what is left of the line of a directive. */
static void end_line(struct directive *d)
{
    struct piece piece;
    preprocess_check(d->p, d->reader);
    do
        scan(d->reader, &piece);
    while (piece.kind != PIECE_END);
    d->reader->open_quote = NULL;
    preprocess_check(d->p, d->reader);
    if (*d->reader->at == '\n')
        d->reader->at++;
    d->reader->one_line = d->reader->inside = false;
}

/* Skips the lines up to the next branch of the condition that counts, or its end. */
static void skip(struct preprocessor *p)
{
    struct directive d = {.p = p, .reader = &preprocess_input(p)->reader, .skips = true};
    struct piece piece, name;
    size_t depth = 0;
    while (d.skips) {
        scan(d.reader, &piece);
        if (piece.kind == PIECE_END)
            break;
        d.reader->open_quote = NULL; /* quotes need no partners in prose */
        if (!piece.first || !piece_is(&piece, "#"))
            continue;
        d.reader->one_line = true;
        scan(d.reader, &name);
        size_t which = name.kind == PIECE_NAME ? find(name.text) : DIRECTIVES;
        bool opens = which < DIRECTIVES && directives[which].opens;
        bool turns = which < DIRECTIVES && directives[which].turns;
        if (turns && depth == 0) {
            d.at = piece.text.text;
            d.name = directives[which].name;
            d.skips = false;
            p->invocation = preprocess_spot(p, d.at);
            directives[which].run(&d);
        } else {
            depth += opens;
            depth -= turns && directives[which].run == run_endif;
            d.reader->open_quote = NULL;
        }
        end_line(&d);
    }
    preprocess_check(p, d.reader);
}

void directive_run(struct preprocessor *p, const struct piece *hash)
{
    struct input *input = preprocess_input(p);
    struct spot invocation = p->invocation;
    struct piece name;
    struct directive d = {
        .p = p, .reader = &input->reader, .at = hash->text.text, .includes = NOTHING};
    p->invocation = preprocess_spot(p, d.at);
    d.line = input->line;
    d.reader->one_line = true;
    bool is_script_start = d.at == input->spliced.text.text && d.at[1] == '!';
    scan(d.reader, &name);
    size_t which = name.kind == PIECE_NAME ? find(name.text) : DIRECTIVES;
    if (which < DIRECTIVES) {
        d.name = directives[which].name;
        directives[which].run(&d);
    } else if (is_script_start) { /* #!/usr/bin/env */
        d.reader->at += strcspn(d.reader->at, "\n");
    } else if (name.kind == PIECE_NUMBER) {
        d.reader->at = name.text.text;
        run_line(&d);
    } else if (name.kind != PIECE_END) {
        wrong_directive(&d, &name);
        d.reader->open_quote = NULL;
    }
    end_line(&d);
    if (d.includes != NOTHING)
        preprocess_enter(p, (size_t)d.includes);
    else if (d.skips)
        skip(p);
    p->invocation = invocation;
}
