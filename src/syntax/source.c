/* source.c - the texts of a script, and which place in which file a position stands for. */
#include "syntax/source.h"

#include <limits.h>

/* ---- texts ---- */

static struct slice without_byte_order_mark(struct slice text)
{
    bool marked = text.length >= 3 && memcmp(text.text, "\xef\xbb\xbf", 3) == 0;
    return marked ? (struct slice){text.text + 3, text.length - 3} : text;
}

uint32_t source_add_file(struct sources *sources, const char *name, struct slice text)
{
    text = without_byte_order_mark(text);
    sources->files = memory_grow(sources->files, &sources->file_capacity, sources->file_count + 1,
                                 sizeof *sources->files);
    sources->files[sources->file_count] = (struct source_file){
        .name = arena_copy(&sources->arena, name, strlen(name)),
        .text = {arena_copy(&sources->arena, text.text, text.length), text.length},
    };
    return (uint32_t)sources->file_count++;
}

/* Adds a text that the sources own already. */
static size_t add_text(struct sources *sources, struct slice text,
                       const struct source_segment *segments, size_t count)
{
    if (!source_has_room(sources, text.length))
        BUG("the texts have more than %d bytes", SOURCE_LIMIT);
    uint32_t first = sources->end > 0 ? sources->end : 1;
    sources->texts = memory_grow(sources->texts, &sources->text_capacity, sources->text_count + 1,
                                 sizeof *sources->texts);
    sources->texts[sources->text_count] = (struct source_text){first, text};
    sources->segments = memory_grow(sources->segments, &sources->segment_capacity,
                                    sources->segment_count + count, sizeof *sources->segments);
    for (size_t i = 0; i < count; i++) {
        struct source_segment *segment = &sources->segments[sources->segment_count++];
        *segment = segments[i];
        segment->at += first;
    }
    sources->end = first + (uint32_t)text.length + 1;
    return sources->text_count++;
}

size_t source_add_text(struct sources *sources, struct slice text,
                       const struct source_segment *segments, size_t count)
{
    text.text = arena_copy(&sources->arena, text.text, text.length);
    return add_text(sources, text, segments, count);
}

size_t source_add_plain(struct sources *sources, const char *name, struct slice text)
{
    uint32_t file = source_add_file(sources, name, text);
    struct source_segment all = {.file = file, .line = 1, .column = 1};
    return add_text(sources, sources->files[file].text, &all, 1);
}

bool source_has_room(const struct sources *sources, size_t length)
{
    return length < SOURCE_LIMIT && sources->end + length < SOURCE_LIMIT;
}

void source_free(struct sources *sources)
{
    free(sources->files);
    free(sources->texts);
    free(sources->segments);
    arena_free(&sources->arena);
    *sources = (struct sources){0};
}

/* ---- places ---- */

/* The text that has this position; NULL if none has. */
static const struct source_text *text_at(const struct sources *sources, uint32_t at)
{
    size_t low = 0, high = sources->text_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sources->texts[middle].first <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && at < sources->end ? &sources->texts[low - 1] : NULL;
}

/* The last segment that starts at this position or before it; NULL if there is none. */
static const struct source_segment *segment_at(const struct sources *sources, uint32_t at)
{
    size_t low = 0, high = sources->segment_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sources->segments[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &sources->segments[low - 1] : NULL;
}

struct slice source_slice(const struct sources *sources, uint32_t at, uint32_t length)
{
    const struct source_text *text = text_at(sources, at);
    if (!text)
        return (struct slice){"", 0};
    size_t from = at - text->first, left = text->text.length - from;
    return (struct slice){text->text.text + from, length < left ? length : left};
}

/* A line of a text, without its line break. */
static struct slice line_of(struct slice text, int line)
{
    const char *at = text.text, *end = at + text.length;
    for (; line > 1 && at; line--) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return (struct slice){"", 0};
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline ? newline : end;
    if (stop > at && stop[-1] == '\r')
        stop--;
    return (struct slice){at, (size_t)(stop - at)};
}

struct source_place source_place_in(const struct sources *sources, uint32_t file, int line,
                                    int column)
{
    const struct source_file *of = &sources->files[file];
    return (struct source_place){of->name, line, column, line_of(of->text, line)};
}

/* Sums of lines and columns; #line may have made the first number large. */
static int sum(int a, size_t b)
{
    return b < (size_t)(INT_MAX - a) ? a + (int)b : INT_MAX;
}

struct source_place source_place(const struct sources *sources, uint32_t at)
{
    const struct source_text *text = text_at(sources, at);
    const struct source_segment *segment = segment_at(sources, at);
    if (!text || !segment || segment->at < text->first)
        return (struct source_place){.file = "", .source = {"", 0}};
    int line = segment->line, column = segment->column;
    if (!segment->fixed) {
        const char *from = text->text.text + (segment->at - text->first);
        const char *to = text->text.text + (at - text->first), *newline;
        while ((newline = memchr(from, '\n', (size_t)(to - from)))) {
            from = newline + 1;
            line = sum(line, 1);
            column = 1;
        }
        column = sum(column, (size_t)utf8_count(from, (size_t)(to - from)));
    }
    return source_place_in(sources, segment->file, line, column);
}

void source_add_place(struct str *s, const struct sources *sources, uint32_t at)
{
    struct source_place place = source_place(sources, at);
    if (place.file[0])
        str_printf(s, "%s:%d", place.file, place.line);
    else
        str_add(s, "(built in)");
}

/* ---- mistakes ---- */

/* The byte offset of a character in a line. */
static size_t offset_of(struct slice line, int column)
{
    size_t at = 0;
    for (int left = column; at < line.length; at++)
        if (((unsigned char)line.text[at] & 0xc0) != 0x80 && --left == 0)
            break;
    return at;
}

/* Copies the part of the line around the place, and sets the caret. */
static void copy_source(struct err *e, struct slice line, int column)
{
    enum { BEFORE = 150 };
    size_t at = offset_of(line, column), from = 0, used = 0;
    if (at > BEFORE && line.length >= sizeof e->source) {
        from = at - BEFORE;
        while (from < at && ((unsigned char)line.text[from] & 0xc0) == 0x80)
            from++;
        memcpy(e->source, "...", 3);
        used = 3;
    }
    e->caret = (int)used + utf8_count(line.text + from, at - from) + 1;
    while (from < line.length) {
        size_t length = utf8_length(line.text + from, line.length - from);
        length = length ? length : 1;
        if (used + length >= sizeof e->source)
            break;
        memcpy(e->source + used, line.text + from, length);
        if (memchr("\t\f\v\r", line.text[from], 5)) /* and a zero byte */
            e->source[used] = ' ';
        used += length;
        from += length;
    }
    e->source[used] = 0;
}

void source_mistake_at(struct err_list *list, const struct source_place *place, const char *format,
                       va_list arguments)
{
    struct err *e = err_list_add(list);
    if (list->count > ERR_LIST_LIMIT)
        return; /* nobody would see it, and a file may have a million of them */
    vsnprintf(e->message, sizeof e->message, format, arguments);
    if (!place->file[0])
        return;
    snprintf(e->file, sizeof e->file, "%s", place->file);
    e->line = place->line;
    e->column = place->column;
    copy_source(e, place->source, place->column);
}

void source_mistake(const struct sources *sources, struct err_list *list, uint32_t at,
                    const char *format, ...)
{
    struct source_place place = {.file = ""};
    if (list->count < ERR_LIST_LIMIT) /* to find it takes time */
        place = source_place(sources, at);
    va_list arguments;
    va_start(arguments, format);
    source_mistake_at(list, &place, format, arguments);
    va_end(arguments);
}
