/* mistake.c - mistakes with the place where they were made. */
#include "tree/tree.h"

#include <stdarg.h>

/* ---- places ---- */

/* Length of the line break at p, including those of Unicode, as libyaml counts lines; or 0. */
static size_t line_break(const char *p, const char *end)
{
    if (*p == '\r')
        return p + 1 < end && p[1] == '\n' ? 2 : 1;
    if (*p == '\n')
        return 1;
    if (end - p >= 2 && memcmp(p, "\xc2\x85", 2) == 0)
        return 2;
    bool unicode =
        end - p >= 3 && (memcmp(p, "\xe2\x80\xa8", 3) == 0 || memcmp(p, "\xe2\x80\xa9", 3) == 0);
    return unicode ? 3 : 0;
}

/* A word of the command line is one line, whatever it contains. */
static struct slice line_of(const struct source *source, int line)
{
    const char *p = source->text, *end = p + source->length;
    if (source->file[0] == 0)
        return (struct slice){p, source->length};
    for (; line > 1 && p < end; line--) {
        size_t length = 0;
        while (p < end && (length = line_break(p, end)) == 0)
            p++;
        p += length;
    }
    const char *stop = p;
    while (stop < end && line_break(stop, end) == 0)
        stop++;
    return (struct slice){p, (size_t)(stop - p)};
}

/* Bytes of the first `count` characters of a line; a byte that is not UTF-8 counts as one. */
static size_t bytes_of(struct slice line, int count)
{
    size_t at = 0;
    for (; count > 0 && at < line.length; count--) {
        size_t length = utf8_length(line.text + at, line.length - at);
        at += length ? length : 1;
    }
    return at;
}

struct place place_of_byte(const struct source *source, size_t offset)
{
    const char *p = source->text, *start = p, *end = p + offset;
    struct place place = {source, 1, 1};
    while (p < end) {
        size_t length = line_break(p, source->text + source->length);
        p += length ? length : 1;
        if (length > 0) {
            place.line++;
            start = p;
        }
    }
    place.column += end > start ? utf8_count(start, (size_t)(end - start)) : 0;
    return place;
}

struct place place_inside(const struct node *scalar, size_t offset)
{
    struct place place = scalar->place;
    if (!place.source)
        return place;
    struct slice line = line_of(place.source, place.line);
    size_t start = bytes_of(line, place.column - 1);
    bool quoted = start < line.length && strchr("'\"", line.text[start]) && !scalar->plain;
    start += quoted;
    /* Escapes and folded lines change the text: then only the start is certain. */
    if (start + offset > line.length || memcmp(line.text + start, scalar->text, offset) != 0)
        return place;
    place.column += (quoted ? 1 : 0) + utf8_count(scalar->text, offset);
    return place;
}

char place_byte(struct place place)
{
    struct slice line = line_of(place.source, place.line);
    size_t at = bytes_of(line, place.column - 1);
    return at < line.length ? line.text[at] : 0;
}

/* ---- mistakes ---- */

/* The column where the text of a line begins, from 0. */
static size_t indent_of(struct slice line)
{
    size_t indent = 0;
    while (indent < line.length && line.text[indent] == ' ')
        indent++;
    return indent;
}

static bool starts_env(struct slice line)
{
    size_t indent = indent_of(line);
    return line.length - indent >= 3 && memcmp(line.text + indent, "env", 3) == 0;
}

/*
 * True if a line may have values of `env:`, which are secret, even if its key is misspelled: it
 * names it, or belongs to a key that begins like it.
 */
static bool may_have_secrets(const struct source *source, int line)
{
    struct slice text = line_of(source, line);
    if (source->file[0] == 0) /* a word of the command line, which is shown anyway */
        return false;
    if (memmem(text.text, text.length, "env", 3))
        return true;
    size_t indent = indent_of(text);
    for (int above = line - 1; above > 0 && indent > 0 && line - above < 1000; above--) {
        struct slice other = line_of(source, above);
        size_t its = indent_of(other);
        if (its >= indent || its == other.length)
            continue;
        if (starts_env(other))
            return true;
        indent = its;
    }
    return false;
}

/* Copies the part of the line around the place, with spaces for tabs; sets the caret. */
static void copy_source(struct err *e, struct slice line, int column)
{
    enum { BEFORE = 150 };
    size_t at = bytes_of(line, column - 1), from = 0, used = 0;
    if (at > BEFORE && line.length >= sizeof e->source) {
        from = at - BEFORE;
        while (((unsigned char)line.text[from] & 0xc0) == 0x80)
            from++;
        used = (size_t)snprintf(e->source, sizeof e->source, "...");
    }
    e->caret = (int)used + utf8_count(line.text + from, at - from) + 1;
    while (from < line.length) {
        size_t length = utf8_length(line.text + from, line.length - from);
        length = length ? length : 1;
        if (used + length >= sizeof e->source)
            break;
        memcpy(e->source + used, line.text + from, length);
        if (line.text[from] == '\t' || line.text[from] == '\n')
            e->source[used] = ' ';
        used += length;
        from += length;
    }
    e->source[used] = 0;
}

void mistake(struct err_list *mistakes, struct place place, const char *format, ...)
{
    struct err *e = err_list_add(mistakes);
    if (mistakes->count > ERR_LIST_LIMIT)
        return; /* nobody would see it, and a file may have a million of them */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
    if (!place.source)
        return;
    snprintf(e->file, sizeof e->file, "%s", place.source->file);
    e->line = place.line;
    e->column = place.column;
    if (place.line > 0 && !may_have_secrets(place.source, place.line))
        copy_source(e, line_of(place.source, place.line), place.column);
}

static bool comes_before(const struct err *a, const struct err *b)
{
    bool a_in_file = a->file[0] != 0, b_in_file = b->file[0] != 0;
    if (!a_in_file || !b_in_file)
        return a_in_file && !b_in_file;
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

void mistakes_sort(struct err_list *mistakes)
{
    size_t kept = mistakes->count < ERR_LIST_LIMIT ? mistakes->count : ERR_LIST_LIMIT;
    struct err *items = mistakes->items;
    for (size_t i = 1; i < kept; i++) {
        struct err moving = items[i];
        size_t at = i;
        for (; at > 0 && comes_before(&moving, &items[at - 1]); at--)
            items[at] = items[at - 1];
        items[at] = moving;
    }
}

struct shown shown(const char *text)
{
    struct shown cut;
    size_t length = strlen(text), most = sizeof cut.text - 4, at = 0;
    if (length < sizeof cut.text) {
        memcpy(cut.text, text, length + 1);
        return cut;
    }
    for (size_t step; at < most && (step = utf8_length(text + at, length - at)) > 0;) {
        if (at + step > most)
            break;
        at += step;
    }
    memcpy(cut.text, text, at);
    memcpy(cut.text + at, "...", 4);
    return cut;
}
