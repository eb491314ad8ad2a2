/* lines.c - the lines of a text file, without comments; and chunks of lines. */
#include "leaf/files.h"
#include "leaf/pattern.h"

/* ---- comments ---- */

/* Where a comment starts: at a text, or at what a regular expression matches. */
struct comment {
    struct slice text;
    bool is_pattern;
    regex_t regex;
};

/* A plain text is what most comments start with, and is found much faster. */
static bool is_plain(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (strchr("\\^$.[]|()*+?{}", text.text[i])) /* or a zero byte */
            return false;
    return true;
}

static int open_comment(const struct leaf_call *call, const char *function, struct slice text,
                        struct comment *comment, struct err *e)
{
    *comment = (struct comment){.text = text, .is_pattern = !is_plain(text)};
    if (!comment->is_pattern)
        return 0;
    return leaf_pattern_open(&comment->regex, function, text, call->arena, e);
}

static void close_comment(struct comment *comment)
{
    if (comment->is_pattern)
        regfree(&comment->regex);
}

static struct slice without_comment(const struct comment *comment, struct slice line)
{
    if (comment->is_pattern) {
        line.length = leaf_pattern_find(&comment->regex, line);
    } else if (comment->text.length > 0) {
        const char *start =
            memmem(line.text, line.length, comment->text.text, comment->text.length);
        if (start)
            line.length = (size_t)(start - line.text);
    }
    return line;
}

/* ---- lines ---- */

/* Takes the next line, without its end; false at the end of the text. */
static bool take_line(struct slice *rest, struct slice *line)
{
    if (rest->length == 0)
        return false;
    const char *end = memchr(rest->text, '\n', rest->length);
    *line = (struct slice){rest->text, end ? (size_t)(end - rest->text) : rest->length};
    size_t taken = line->length + (end != NULL);
    *rest = (struct slice){rest->text + taken, rest->length - taken};
    if (line->length > 0 && line->text[line->length - 1] == '\r')
        line->length--;
    return true;
}

/* Texts that are found one after the other. */
struct found {
    struct leaf_member *items;
    size_t count, capacity;
};

static void add(struct found *found, size_t key, struct slice text)
{
    found->items =
        memory_grow(found->items, &found->capacity, found->count + 1, sizeof *found->items);
    found->items[found->count++] = (struct leaf_member){leaf_whole((int64_t)key), leaf_text(text)};
}

static int give(const struct leaf_call *call, struct found *found, struct err *e)
{
    struct leaf_member *items = leaf_array_start(&call->outputs[0], found->count, call->arena);
    for (size_t i = 0; i < found->count; i++)
        items[i] = found->items[i];
    free(found->items);
    return leaf_array_end(&call->outputs[0], e);
}

int leaf_file_lines(const struct leaf_call *call, struct err *e)
{
    struct slice rest, line;
    struct comment comment;
    struct found found = {0};
    if (leaf_file_load(call, &rest, e) != 0 ||
        open_comment(call, "file_lines", call->inputs[1].text, &comment, e) != 0)
        return ERR_USER;
    for (size_t number = 0; take_line(&rest, &line); number++) {
        line = leaf_trim(without_comment(&comment, line));
        if (line.length > 0)
            add(&found, number, line);
    }
    close_comment(&comment);
    return give(call, &found, e);
}

/* ---- chunks ---- */

static void end_chunk(const struct leaf_call *call, struct found *found, struct str *chunk)
{
    struct slice text = leaf_trim((struct slice){str_text(chunk), chunk->length});
    const char *copy = arena_copy(call->arena, text.text, text.length);
    add(found, found->count, (struct slice){copy, text.length});
    str_clear(chunk);
}

int leaf_file_chunks(const struct leaf_call *call, struct err *e)
{
    struct slice rest, line, delimiter = call->inputs[1].text;
    struct comment comment;
    struct found found = {0};
    struct str chunk = {0};
    if (leaf_file_load(call, &rest, e) != 0 ||
        open_comment(call, "file_chunks", call->inputs[2].text, &comment, e) != 0)
        return ERR_USER;
    while (take_line(&rest, &line)) {
        if (slice_equal(line, delimiter)) {
            end_chunk(call, &found, &chunk);
            continue;
        }
        line = without_comment(&comment, line);
        if (leaf_trim(line).length == 0)
            continue;
        str_add_bytes(&chunk, line.text, line.length);
        str_add_char(&chunk, '\n');
    }
    end_chunk(call, &found, &chunk);
    str_free(&chunk);
    close_comment(&comment);
    return give(call, &found, e);
}
