/*
 * string.c - the module `string`. Positions and lengths count characters; the work is done on
 * bytes, since in UTF-8 a text is found at the start of a character only.
 */
#include "leaf/modules.h"
#include "leaf/pattern.h"

#include <limits.h>

enum { TEXT_MOST = INT_MAX }; /* bytes that a text can grow to by replacing */

/* Appends a text. */
static void add(struct str *s, struct slice text)
{
    str_add_bytes(s, text.text, text.length);
}

/* The bytes from one offset to another; none if the second is not behind the first. */
static struct slice part_of(struct slice text, size_t from, size_t to)
{
    if (from >= to)
        return (struct slice){"", 0};
    return (struct slice){text.text + from, to - from};
}

/* The offset of a character; of a negative number: of the first one. */
static size_t offset_of(struct slice text, int64_t number)
{
    return leaf_character_offset(text, number > 0 ? (size_t)number : 0);
}

static int run_strlen(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_whole((int64_t)leaf_characters(call->inputs[0].text)));
}

static int run_substring(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice text = call->inputs[0].text;
    int64_t start = call->inputs[1].whole, length = call->inputs[2].whole, end;
    if (length < 0)
        length = 0;
    if (__builtin_add_overflow(start, length, &end))
        end = INT64_MAX;
    size_t from = offset_of(text, start);
    struct slice rest = part_of(text, from, text.length);
    size_t to = end > 0 ? leaf_character_offset(rest, (size_t)(start > 0 ? end - start : end)) : 0;
    return leaf_give(call, leaf_text(part_of(rest, 0, to)));
}

static int run_trim(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_text(leaf_trim(call->inputs[0].text)));
}

static int run_hash(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice text = call->inputs[0].text;
    uint32_t hash = 2166136261; /* FNV-1a */
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.text[i]) * 16777619;
    return leaf_give(call, leaf_whole((hash ^ hash >> 31) & INT32_MAX));
}

static int run_to_upper(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_to_case(call->inputs[0].text, true, call->arena));
}

static int run_to_lower(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_to_case(call->inputs[0].text, false, call->arena));
}

static int run_isint(const struct leaf_call *call, struct err *e)
{
    (void)e;
    int64_t ignored;
    return leaf_give(call, leaf_truth(leaf_read_whole(call->inputs[0].text, 0, &ignored)));
}

/* ---- finding and replacing ---- */

enum { NOWHERE = -1 };

/* Where in a text something is looked for, in bytes. */
struct window {
    size_t from, to;
};

/* The window from one character to before another; -1 is the end of the text. */
static struct window window_of(struct slice text, int64_t start, int64_t end)
{
    return (struct window){offset_of(text, start), end == -1 ? text.length : offset_of(text, end)};
}

/* The offset of the first occurrence that is all in the window; NOWHERE if there is none. */
static ptrdiff_t occurrence(struct slice text, struct slice part, struct window window)
{
    if (part.length == 0 || window.from >= window.to)
        return NOWHERE;
    const char *at =
        memmem(text.text + window.from, window.to - window.from, part.text, part.length);
    return at ? at - text.text : NOWHERE;
}

static int run_find(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice text = call->inputs[0].text;
    struct window window = window_of(text, call->inputs[2].whole, call->inputs[3].whole);
    ptrdiff_t at = occurrence(text, call->inputs[1].text, window);
    if (at > 0)
        at = (ptrdiff_t)leaf_characters(part_of(text, 0, (size_t)at));
    return leaf_give(call, leaf_whole(at));
}

static int run_string_count(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice text = call->inputs[0].text, part = call->inputs[1].text;
    struct window window = window_of(text, call->inputs[2].whole, call->inputs[3].whole);
    int64_t count = 0;
    for (ptrdiff_t at; (at = occurrence(text, part, window)) != NOWHERE; count++)
        window.from = (size_t)at + part.length;
    return leaf_give(call, leaf_whole(count));
}

/* Replaces up to `most` occurrences of input 1 in input 0, in the window, by input 2. */
static int replace(const struct leaf_call *call, struct window window, size_t most, struct err *e)
{
    struct slice text = call->inputs[0].text, part = call->inputs[1].text;
    struct str out = {0};
    size_t done = 0;
    ptrdiff_t at;
    for (; most > 0 && (at = occurrence(text, part, window)) != NOWHERE; most--) {
        add(&out, part_of(text, done, (size_t)at));
        add(&out, call->inputs[2].text);
        done = window.from = (size_t)at + part.length;
        if (out.length > TEXT_MOST) {
            str_free(&out);
            return err_set(e, ERR_USER, "replaceAll: the text would be longer than %d bytes",
                           TEXT_MOST);
        }
    }
    if (done == 0)
        return leaf_give(call, call->inputs[0]);
    add(&out, part_of(text, done, text.length));
    return leaf_give(call, leaf_take(&out, call->arena));
}

static int run_replace(const struct leaf_call *call, struct err *e)
{
    return replace(call, window_of(call->inputs[0].text, call->inputs[3].whole, -1), 1, e);
}

static int run_replace_all(const struct leaf_call *call, struct err *e)
{
    int64_t start = call->input_count > 3 ? call->inputs[3].whole : 0;
    int64_t end = call->input_count > 4 ? call->inputs[4].whole : -1;
    return replace(call, window_of(call->inputs[0].text, start, end), SIZE_MAX, e);
}

/* ---- split ---- */

/* Characters that separate. */
struct separators {
    bool simple[128];
    uint32_t *others; /* sorted */
    size_t count;
};

static int compare_characters(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static struct separators separators_of(struct slice text, struct arena *arena)
{
    struct separators out = {.others = arena_new(arena, text.length, sizeof *out.others)};
    for (size_t at = 0; at < text.length;) {
        uint32_t character = leaf_character(text, &at);
        if (character < 128)
            out.simple[character] = true;
        else if (character != UINT32_MAX)
            out.others[out.count++] = character;
    }
    qsort(out.others, out.count, sizeof *out.others, compare_characters);
    return out;
}

static bool separates(const struct separators *separators, uint32_t character)
{
    if (character < 128)
        return separators->simple[character];
    return bsearch(&character, separators->others, separators->count, sizeof character,
                   compare_characters) != NULL;
}

/* The next member of a text from *at on; *at moves behind the separator, beyond the end at last. */
static struct slice next_part(struct slice text, const struct separators *separators, size_t *at)
{
    size_t start = *at;
    while (*at < text.length) {
        size_t end = *at;
        if (separates(separators, leaf_character(text, at)))
            return part_of(text, start, end);
    }
    *at = text.length + 1;
    return part_of(text, start, text.length);
}

static struct slice next_character(struct slice text, size_t *at)
{
    size_t start = *at;
    leaf_character(text, at);
    return part_of(text, start, *at);
}

static int run_split(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice text = call->inputs[0].text, delimiters = call->inputs[1].text;
    struct separators separators = separators_of(delimiters, call->arena);
    bool singly = delimiters.length == 0;
    size_t count = singly ? leaf_characters(text) : 0;
    for (size_t at = 0; !singly && text.length > 0 && at <= text.length; count++)
        next_part(text, &separators, &at);
    struct leaf_member *items = leaf_list_start(&call->outputs[0], LEAF_ARRAY, count, call->arena);
    for (size_t i = 0, at = 0; i < count; i++)
        items[i].value =
            leaf_text(singly ? next_character(text, &at) : next_part(text, &separators, &at));
    return 0;
}

/* ---- join ---- */

static int run_join(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct str out = {0};
    const struct leaf_members *members = call->inputs[0].members;
    for (size_t i = 0; i < members->count; i++) {
        if (i > 0)
            add(&out, call->inputs[1].text);
        leaf_show(&out, &members->items[i].value);
    }
    return leaf_give(call, leaf_take(&out, call->arena));
}

static int run_join_args(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct str out = {0};
    for (size_t i = 1; i < call->input_count; i++) {
        if (i > 1)
            add(&out, call->inputs[0].text);
        leaf_show(&out, &call->inputs[i]);
    }
    return leaf_give(call, leaf_take(&out, call->arena));
}

static int run_string_from_floats(const struct leaf_call *call, struct err *e)
{
    struct leaf_value inputs[] = {call->inputs[0], leaf_text(slice_of(","))};
    struct leaf_call join = *call;
    join.inputs = inputs;
    return run_join(&join, e);
}

static int run_pick_regexp(const struct leaf_call *call, struct err *e)
{
    regex_t regex;
    const struct leaf_members *from = call->inputs[1].members;
    if (leaf_pattern_open(&regex, "pick_regexp", call->inputs[0].text, call->arena, e) != 0)
        return ERR_USER;
    struct leaf_member *items = leaf_array_start(&call->outputs[0], from->count, call->arena);
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++)
        if (leaf_pattern_matches(&regex, from->items[i].value.text))
            items[count++] = from->items[i];
    leaf_array_cut(&call->outputs[0], count);
    regfree(&regex);
    return 0;
}

const struct leaf_function leaf_string[] = {
    {"strlen", LEAF_AT_ONCE, run_strlen},
    {"substring", LEAF_AT_ONCE, run_substring},
    {"trim", LEAF_AT_ONCE, run_trim},
    {"hash", LEAF_AT_ONCE, run_hash},
    {"toUpper", LEAF_AT_ONCE, run_to_upper},
    {"toLower", LEAF_AT_ONCE, run_to_lower},
    {"isint", LEAF_AT_ONCE, run_isint},
    {"find", LEAF_AT_ONCE, run_find},
    {"string_count", LEAF_AT_ONCE, run_string_count},
    {"replace", LEAF_AT_ONCE, run_replace},
    {"replaceAll", LEAF_AT_ONCE, run_replace_all},
    {"split", LEAF_AT_ONCE, run_split},
    {"join", LEAF_AT_ONCE, run_join},
    {"join_args", LEAF_AT_ONCE, run_join_args},
    {"string_from_floats", LEAF_AT_ONCE, run_string_from_floats},
    {"pick_regexp", LEAF_AT_ONCE, run_pick_regexp},
    {0},
};
