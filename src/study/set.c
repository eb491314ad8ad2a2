/*
 * set.c - what follows the name in --set:
 *
 *     1..5  0.1..1  log:1e-5..1e-1  int:1..1e3  log:int:16..1024  16..512:step=16    a range
 *     sgd,adam  choice:one  ordered:small,large  flag:true,false                     a list
 *     10  cifar10  2024-01-02                                                        a constant
 *
 * Nearly any text can be a constant, so a range that is written in another way (0.1-0.9, [0.1,1])
 * would be accepted and waste the whole search: whatever looks like one is refused.
 */
#include "study/words.h"

static const char *const kinds[] = {"log", "int", "float", "ordered", "choice", "flag", NULL};

/* A range and its kinds, as far as they have been read. */
struct range {
    const struct word *word;
    size_t log;       /* where "log" is; 0: nowhere */
    const char *kind; /* "int" or "float", or NULL: the numbers decide */
    size_t from;      /* where the numbers start */
};

static struct node *wrong(const struct word *word, size_t from)
{
    struct node *node = word_scalar(word, from, from + strlen(word_text(word, from)));
    node->wrong = true;
    return node;
}

/* ---- what looks like a range ---- */

/* Reports a range that is written in another way than low..high. */
static bool refuse_pair(const struct word *word, size_t from, bool has_kind)
{
    static const char *const separators[] = {
        ",", "...", "\xe2\x80\xa6", "..", "\xe2\x80\x93", "->", "to", ":", ";", "~", "-",
        " ", NULL};
    const char *text = word_text(word, from);
    struct slice inside = slice_trim(slice_of(text)), low, high;
    bool bracket = inside.length > 2 && strchr("[({", inside.text[0]) &&
                   strchr("])}", inside.text[inside.length - 1]);
    if (bracket)
        inside = (struct slice){inside.text + 1, inside.length - 2};
    size_t at = bracket || has_kind ? 0 : 1; /* a comma alone makes it a choice */
    while (separators[at] && !number_pair(inside, separators[at], &low, &high))
        at++;
    if (!separators[at])
        return false;
    char range[160];
    snprintf(range, sizeof range, "%.*s..%.*s", (int)low.length, low.text, (int)high.length,
             high.text);
    if (strcmp(range, text) == 0)
        return false;
    if (bracket && at == 0 && !has_kind)
        mistake(word->reader->mistakes, word_place(word, from),
                "write %s for a range, or %.*s,%.*s for a choice", range, (int)low.length, low.text,
                (int)high.length, high.text);
    else if (bracket || has_kind)
        mistake(word->reader->mistakes, word_place(word, from), "write %s for a range", range);
    else
        mistake(word->reader->mistakes, word_place(word, from),
                "write %s for a range, or choice:%s for just this text", range, shown(text).text);
    return true;
}

/* ---- lists ---- */

static bool has_open_bracket(const char *text)
{
    int open = 0;
    for (; *text; text++)
        open += strchr("[({", *text) ? 1 : strchr("])}", *text) ? -1 : 0;
    return open > 0;
}

static bool is_dots(const char *text)
{
    return strcmp(text, "..") == 0 || strcmp(text, "...") == 0 || strcmp(text, "\xe2\x80\xa6") == 0;
}

/* What is wrong with a value of a list, or NULL. */
static const char *item_mistake(const struct node *list, const struct node *item)
{
    struct slice low, high;
    if (is_dots(item->text) && item != list->first && item != list->last)
        return "values cannot be left out here: write all of them, or a range such as 1..5";
    if (list->count > 1 && number_pair(slice_of(item->text), "..", &low, &high))
        return "a range cannot be one of several values: write a range alone, or all values";
    if (has_open_bracket(item->text))
        return "a comma ends a value, but a bracket is still open here: leave out the brackets, or "
               "write the values in a study file";
    return NULL;
}

/* {kind: [values]} */
static struct node *set_list(const struct word *word, const char *kind, size_t from)
{
    struct arena *arena = &word->reader->study->arena;
    struct node *list = word_list(word, from), *map = node_new(arena, NODE_MAP, list->place);
    for (const struct node *item = list->first; item; item = item->next) {
        const char *message = item_mistake(list, item);
        if (!message)
            continue;
        mistake(word->reader->mistakes, item->place, "%s", message);
        return wrong(word, from);
    }
    node_add(map, kind, list->place, list);
    return map;
}

/* ---- ranges ---- */

/* Offset of ".." with a number before or after it, from the start of the value; 0: nowhere. */
static size_t find_dots(const char *text)
{
    const char *dots = strstr(text, "..");
    if (!dots)
        return 0;
    size_t length = strcspn(dots + 2, ":");
    bool any = is_decimal((struct slice){text, (size_t)(dots - text)}) ||
               is_decimal((struct slice){dots + 2, length});
    return any ? (size_t)(dots - text) : 0;
}

static bool is_whole(const char *text, size_t length)
{
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    return length > sign && strspn(text + sign, "0123456789") >= length - sign;
}

/* What follows the numbers: ":step=16". */
static bool set_step(const struct word *word, struct node *map, size_t from)
{
    static const char *const keys[] = {"step", NULL};
    const char *text = word_text(word, from);
    size_t length = strcspn(text, "=");
    struct place place = word_place(word, from);
    if (is_decimal(slice_of(text))) {
        mistake(word->reader->mistakes, place, "write step=%s for steps of this size", text);
        return false;
    }
    if (!text[length] || length != 4 || strncmp(text, "step", length) != 0) {
        const char *key = arena_copy(&word->reader->study->arena, text, length);
        if (strcmp(key, "step") == 0)
            mistake(word->reader->mistakes, place, "'step' has no value: write it as in step=2");
        else
            unknown_word(word->reader, place, "key", key, keys);
        return false;
    }
    node_add(map, "step", place, word_scalar(word, from + 5, from + strlen(text)));
    return true;
}

/* {int: [low, high], log: true, step: s} */
static struct node *set_range(const struct range *range)
{
    const struct word *word = range->word;
    struct arena *arena = &word->reader->study->arena;
    const char *text = word_text(word, range->from), *dots = strstr(text, "..");
    size_t at = (size_t)(dots - text), end = at + 2 + strcspn(dots + 2, ":");
    const char *step = strchr(text + end, '=');
    bool whole = is_whole(text, at) && is_whole(dots + 2, end - at - 2) &&
                 (!step || is_whole(step + 1, strlen(step + 1)));
    const char *kind = range->kind ? range->kind : range->log ? "log" : whole ? "int" : "float";
    struct node *list = node_new(arena, NODE_LIST, word_place(word, range->from));
    struct node *map = node_new(arena, NODE_MAP, list->place);
    size_t from = range->from;
    node_add(list, NULL, (struct place){0}, word_scalar(word, from, from + at));
    node_add(list, NULL, (struct place){0}, word_scalar(word, from + at + 2, from + end));
    node_add(map, kind, list->place, list);
    if (range->log && range->kind) {
        struct place place = word_place(word, range->log);
        node_add(map, "log", place, node_scalar(arena, "true", true, place));
    }
    if (text[end] && !set_step(word, map, from + end + 1))
        return wrong(word, from);
    return map;
}

/* ---- kinds ---- */

/* The index in `kinds` of the word before the next ':', or -1. */
static int find_kind(const char *text)
{
    for (int i = 0; kinds[i]; i++)
        if (strncmp(text, kinds[i], strlen(kinds[i])) == 0 && text[strlen(kinds[i])] == ':')
            return i;
    return -1;
}

/* Takes "log:", "int:" and "float:", each at most once; false if there is none. */
static bool take_kinds(struct range *range)
{
    size_t begin = range->from;
    for (;;) {
        int kind = find_kind(word_text(range->word, range->from));
        bool is_log = kind == 0;
        bool again = is_log ? range->log > 0 : range->kind != NULL;
        if (kind < 0 || kind > 2 || again)
            return range->from > begin;
        if (is_log)
            range->log = range->from;
        else
            range->kind = kinds[kind];
        range->from += strlen(kinds[kind]) + 1;
    }
}

/*
 * Reports a word before a range that is not a kind, or, before a list, one that is nearly a kind.
 */
static bool refuse_kind(const struct word *word, size_t from)
{
    const char *text = word_text(word, from), *colon = strchr(text, ':');
    if (!colon || find_kind(text) >= 0)
        return false;
    const char *name = arena_copy(&word->reader->study->arena, text, (size_t)(colon - text));
    const char *dots = strstr(colon, "..");
    bool is_range = dots && is_decimal((struct slice){colon + 1, (size_t)(dots - colon - 1)});
    bool is_list = strchr(colon, ',') && (str_nearest(name, kinds) || kind_elsewhere(name, true));
    if (!is_name(name, "") || (!is_range && !is_list))
        return false;
    const char *here = kind_elsewhere(name, true);
    if (here)
        mistake(word->reader->mistakes, word_place(word, from), "unknown kind '%s': write it as %s",
                name, here);
    else
        unknown_word(word->reader, word_place(word, from), "kind", name, kinds);
    return true;
}

/* Reports a range as a program for another tool has it: loguniform(1e-5,1e-1). */
static bool refuse_call(const struct word *word, size_t from)
{
    const char *text = word_text(word, from), *here = call_elsewhere(text, true);
    if (here)
        mistake(word->reader->mistakes, word_place(word, from),
                "'%s' is a range of another tool: write %s", shown(text).text, here);
    return here;
}

struct node *set_parameter(const struct word *word, size_t from)
{
    struct range range = {.word = word, .from = from};
    int kind = find_kind(word_text(word, from));
    if (kind > 2)
        return set_list(word, kinds[kind], from + strlen(kinds[kind]) + 1);
    bool has_kind = take_kinds(&range);
    const char *text = word_text(word, range.from);
    if (strcmp(text, "flag") == 0) {
        mistake(word->reader->mistakes, word_place(word, from),
                "write flag:true,false for a flag that is passed or left out, or choice:flag for "
                "just this text");
        return wrong(word, from);
    }
    if (refuse_call(word, range.from) || refuse_kind(word, range.from) ||
        refuse_pair(word, range.from, has_kind))
        return wrong(word, from);
    if (has_kind && !strstr(text, "..")) {
        bool is_int = range.kind && strcmp(range.kind, "int") == 0;
        mistake(word->reader->mistakes, word_place(word, range.from),
                "a range is expected here, as in %s:%s", range.kind ? range.kind : "log",
                is_int ? "1..5" : "1e-5..1e-1");
        return wrong(word, from);
    }
    if (strchr(text, ',') && !has_kind)
        return set_list(word, "choice", from);
    if (has_kind || find_dots(text) > 0)
        return set_range(&range);
    return word_scalar(word, from, from + strlen(text));
}
