/*
 * preprocess.c - the preprocessor: files, places, what is written, and the whole.
 *
 * Text that no macro touches is copied with its white space, so that its places stay exact.
 * Comments and directives are dropped: the next segment says where the text continues.
 */
#include "syntax/preprocess_private.h"

#include <limits.h>

enum {
    BYTES_LIMIT = SOURCE_LIMIT / 2, /* of all files, each counted as often as it is included */
    SPENT_LIMIT = 16 << 20,         /* of all expansions */
    PIECE_PRICE = 16,
};

/* ---- places ---- */

struct input *preprocess_input(struct preprocessor *p)
{
    return &p->inputs[p->input_count - 1];
}

/* Counts lines and columns up to a byte; no lines were joined in between. */
static void count(struct input *input, const char *to)
{
    const char *newline;
    while ((newline = memchr(input->counted, '\n', (size_t)(to - input->counted)))) {
        input->counted = newline + 1;
        input->line++;
        input->column = 1;
    }
    input->column += utf8_count(input->counted, (size_t)(to - input->counted));
    input->counted = to;
}

struct spot preprocess_spot(struct preprocessor *p, const char *at)
{
    struct input *input = preprocess_input(p);
    const struct spliced *spliced = &input->spliced;
    if (at < input->counted) {
        input->counted = spliced->text.text;
        input->line = input->column = 1;
        input->splice = 0;
    }
    while (input->splice < spliced->count &&
           spliced->text.text + spliced->splices[input->splice] <= at) {
        count(input, spliced->text.text + spliced->splices[input->splice++]);
        input->line++;
        input->column = 1;
    }
    count(input, at);
    int64_t line = input->line + input->line_shift;
    return (struct spot){input->shown_file, line < INT_MAX ? (int)line : INT_MAX, input->column};
}

static void complain(struct preprocessor *p, struct err_list *list, const char *at,
                     const char *format, va_list arguments)
{
    struct source_place place = {.file = ""};
    if (list->count < ERR_LIST_LIMIT) { /* to find it takes time */
        struct slice text = preprocess_input(p)->spliced.text;
        bool here = at && at >= text.text && at <= text.text + text.length;
        struct spot spot = here ? preprocess_spot(p, at) : p->invocation;
        place = source_place_in(p->sources, spot.file, spot.line, spot.column);
    }
    source_mistake_at(list, &place, format, arguments);
}

void preprocess_mistake(struct preprocessor *p, const char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(p, &p->report->mistakes, at, format, arguments);
    va_end(arguments);
    if (p->result == 0)
        p->result = ERR_USER;
}

void preprocess_warning(struct preprocessor *p, const char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(p, &p->report->warnings, at, format, arguments);
    va_end(arguments);
}

void preprocess_spend(struct preprocessor *p, size_t bytes)
{
    p->spent += bytes + PIECE_PRICE;
    if (p->spent <= SPENT_LIMIT || p->stopped)
        return;
    preprocess_mistake(p, NULL,
                       "macro expansion produces more than %d MiB of text: do macros expand to "
                       "many copies of one another?",
                       SPENT_LIMIT >> 20);
    p->stopped = true;
}

/* ---- files ---- */

size_t preprocess_add_included(struct preprocessor *p, uint32_t file)
{
    p->included =
        memory_grow(p->included, &p->included_capacity, p->included_count + 1, sizeof *p->included);
    p->included[p->included_count] = (struct included){
        .file = file,
        .spliced = splice(p->sources->files[file].text, &p->arena),
    };
    return p->included_count++;
}

void preprocess_enter(struct preprocessor *p, size_t included)
{
    const struct included *it = &p->included[included];
    p->inputs = memory_grow(p->inputs, &p->input_capacity, p->input_count + 1, sizeof *p->inputs);
    const char *start = it->spliced.text.text;
    p->inputs[p->input_count++] = (struct input){
        .included = included,
        .spliced = it->spliced,
        .reader = {.at = start, .end = start + it->spliced.text.length},
        .conditions = p->condition_count,
        .counted = start,
        .line = 1,
        .column = 1,
        .shown_file = it->file,
    };
    p->written = NULL;
    p->bytes += it->spliced.text.length;
    if (p->bytes > BYTES_LIMIT && !p->stopped) {
        preprocess_mistake(
            p, start, "the script and the files that it includes are larger than %d MiB together",
            BYTES_LIMIT >> 20);
        p->stopped = true;
    }
}

/* Returns to the file that included this one. */
static void leave(struct preprocessor *p)
{
    struct str *text = &p->out->text;
    directive_close(p);
    p->input_count--;
    p->written = NULL;
    if (text->length > 0 && text->text[text->length - 1] != '\n')
        str_add_char(text, '\n');
}

void preprocess_check(struct preprocessor *p, struct reader *reader)
{
    if (reader->open_comment) {
        preprocess_mistake(p, reader->open_comment, "this comment is never closed: */ is missing");
        p->condition_count =
            preprocess_input(p)->conditions; /* the comment may hide their #endif */
    }
    if (reader->open_quote)
        preprocess_warning(p, reader->open_quote,
                           "this string is not closed on its line: write \\n for a newline, or use "
                           "\"\"\" for a string of several lines");
    reader->open_comment = reader->open_quote = NULL;
}

void preprocess_next(struct preprocessor *p, struct piece *piece)
{
    for (;;) {
        struct reader *reader = &preprocess_input(p)->reader;
        *piece = (struct piece){.kind = PIECE_END};
        if (p->stopped)
            return;
        scan(reader, piece);
        preprocess_check(p, reader);
        if (piece->first && piece_is(piece, "#"))
            directive_run(p, piece);
        else if (piece->kind != PIECE_END || p->collecting || p->input_count == 1)
            return;
        else
            leave(p);
    }
}

/* ---- what is written ---- */

static void add_segment(struct preprocessor *p, struct spot spot, bool fixed, bool inside)
{
    struct preprocessed *out = p->out;
    out->segments =
        memory_grow(out->segments, &out->capacity, out->count + 1, sizeof *out->segments);
    out->segments[out->count++] = (struct source_segment){
        .at = (uint32_t)out->text.length,
        .file = spot.file,
        .line = spot.line,
        .column = spot.column,
        .fixed = fixed,
        .inside = inside,
    };
}

/* Adds a blank between texts from different places, if one is wanted or needed. */
static void add_blank(struct preprocessor *p, bool space, char next)
{
    struct str *text = &p->out->text;
    char last = text->length > 0 ? text->text[text->length - 1] : '\n';
    bool separate = last == '\n' || last == ' ' || last == '\t';
    if (!separate && (space || pieces_merge(last, next)))
        str_add_char(text, ' ');
}

/* Index of the first splice at or after a byte. */
static size_t splice_from(const struct input *input, const char *at)
{
    size_t low = 0, high = input->spliced.count, offset = (size_t)(at - input->spliced.text.text);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (input->spliced.splices[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_spliced(const struct input *input, const char *from, const char *to)
{
    size_t next = splice_from(input, from);
    return next < input->spliced.count &&
           input->spliced.text.text + input->spliced.splices[next] <= to;
}

/* Copies the bytes of a piece; a segment starts wherever lines were joined in it. */
static void copy(struct preprocessor *p, const char *from, const char *to)
{
    struct input *input = preprocess_input(p);
    struct str *text = &p->out->text;
    p->written = to;
    for (size_t next = splice_from(input, from + 1); next < input->spliced.count; next++) {
        const char *joined = input->spliced.text.text + input->spliced.splices[next];
        if (joined >= to)
            break;
        str_add_bytes(text, from, (size_t)(joined - from));
        add_segment(p, preprocess_spot(p, joined), false, true);
        from = joined;
        p->written = NULL;
    }
    str_add_bytes(text, from, (size_t)(to - from));
}

/* Writes a piece of a file. */
static void write_piece(struct preprocessor *p, const struct piece *piece)
{
    const char *from = piece->text.text, *to = from + piece->text.length;
    bool blanks = piece->plain && !is_spliced(preprocess_input(p), piece->gap, from);
    if (blanks && piece->gap == p->written) {
        str_add_bytes(&p->out->text, piece->gap, (size_t)(from - piece->gap));
    } else if (blanks) {
        add_blank(p, false, *piece->gap);
        add_segment(p, preprocess_spot(p, piece->gap), false, false);
        str_add_bytes(&p->out->text, piece->gap, (size_t)(from - piece->gap));
    } else {
        add_blank(p, piece->space && piece->kind != PIECE_NEWLINE, *from);
        add_segment(p, preprocess_spot(p, from), false, false);
    }
    copy(p, from, to);
    p->made = false;
}

/* Writes a piece of an expansion. */
static void write_made(struct preprocessor *p, const struct piece *piece)
{
    add_blank(p, piece->space, piece->text.length > 0 ? piece->text.text[0] : ' ');
    const struct spot *a = &p->made_spot, *b = &p->invocation;
    bool same = a->file == b->file && a->line == b->line && a->column == b->column;
    if (!p->made || !same)
        add_segment(p, p->invocation, true, false);
    str_add_bytes(&p->out->text, piece->text.text, piece->text.length);
    p->made = true;
    p->made_spot = p->invocation;
    p->written = NULL;
}

/* ---- the whole ---- */

/* Defines a macro of the command line: NAME, NAME=VALUE. */
static void define(struct preprocessor *p, const char *definition)
{
    struct str text = {0};
    size_t name = strcspn(definition, "=");
    str_add_bytes(&text, definition, name);
    str_add_char(&text, ' ');
    str_add(&text, definition[name] ? definition + name + 1 : "1");
    for (size_t i = 0; i < text.length; i++)
        if (text.text[i] == '\n')
            text.text[i] = ' ';
    uint32_t file = source_add_file(p->sources, "-D", (struct slice){text.text, text.length});
    preprocess_enter(p, preprocess_add_included(p, file));
    struct reader *reader = &preprocess_input(p)->reader;
    reader->one_line = true;
    macro_define(p, reader);
    p->input_count--;
    str_free(&text);
}

static void preprocess_all(struct preprocessor *p, const char *name, struct slice text)
{
    macro_define_builtins(p);
    const char *const *defines = p->options->defines;
    for (; defines && *defines; defines++)
        define(p, *defines);
    uint32_t file = source_add_file(p->sources, name, text);
    preprocess_enter(p, preprocess_add_included(p, file));
    for (;;) {
        struct piece piece;
        macro_next(p, &piece);
        if (piece.kind == PIECE_END)
            break;
        if (piece.kind == PIECE_NAME && macro_expand(p, &piece))
            continue;
        if (piece.gap)
            write_piece(p, &piece);
        else
            write_made(p, &piece);
    }
    if (!p->stopped)
        directive_close(p);
}

int preprocess(struct sources *sources, const char *name, struct slice text,
               const struct syntax_options *options, struct preprocessed *out,
               struct syntax_report *report)
{
    struct preprocessor p = {.sources = sources, .options = options, .out = out, .report = report};
    *out = (struct preprocessed){0};
    preprocess_all(&p, name, text);
    macro_free(&p);
    map_free(&p.paths);
    free(p.included);
    free(p.inputs);
    free(p.conditions);
    arena_free(&p.arena);
    return p.result;
}

void preprocessed_free(struct preprocessed *out)
{
    str_free(&out->text);
    free(out->segments);
    *out = (struct preprocessed){0};
}

/* ---- for people ---- */

static bool ends_line(const struct str *out)
{
    return out->length == 0 || out->text[out->length - 1] == '\n';
}

static void add_marker(struct str *out, const char *file, int line)
{
    if (!ends_line(out))
        str_add_char(out, '\n');
    str_printf(out, "# %d \"", line);
    for (; *file; file++) {
        if (*file == '"' || *file == '\\')
            str_add_char(out, '\\');
        str_add_char(out, *file);
    }
    str_add(out, "\"\n");
}

/* Appends the text, with newlines or a marker where its place jumps. */
static void print(const struct sources *sources, const struct preprocessed *made, struct str *out)
{
    enum { NEAR = 8 };
    uint32_t file = UINT32_MAX;
    int64_t line = 0; /* the line of the next byte, according to what is printed */
    for (size_t i = 0; i < made->count; i++) {
        const struct source_segment *it = &made->segments[i];
        size_t end = i + 1 < made->count ? made->segments[i + 1].at : made->text.length;
        bool near = it->file == file && it->line >= line && it->line - line <= NEAR;
        if (!it->inside && !near)
            add_marker(out, sources->files[it->file].name, it->line);
        for (; !it->inside && near && line < it->line; line++)
            str_add_char(out, '\n');
        if (!it->inside) {
            file = it->file;
            line = it->line;
        }
        for (size_t at = it->at; at < end; at++)
            line += made->text.text[at] == '\n';
        str_add_bytes(out, made->text.text + it->at, end - it->at);
    }
    if (!ends_line(out))
        str_add_char(out, '\n');
}

int syntax_preprocess(const char *name, struct slice text, const struct syntax_options *options,
                      struct str *out, struct syntax_report *report)
{
    struct sources sources = {0};
    struct preprocessed made;
    if (options->raw) {
        str_add_bytes(out, text.text, text.length);
        return 0;
    }
    int code = preprocess(&sources, name, text, options, &made, report);
    print(&sources, &made, out);
    preprocessed_free(&made);
    source_free(&sources);
    return code;
}
