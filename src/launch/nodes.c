/*
 * nodes.c - the names of the nodes of this job, for an MPI that cannot ask the scheduler itself.
 *
 * A scheduler names them in a variable, in a file, or by a program. Slurm and Flux use hostlists:
 * "n[1-3,07],gpu1" is n1, n2, n3, n07 and gpu1.
 */
#include "launch/schedulers.h"

#include "base/map.h"

#include <ctype.h>

enum { FILE_LIMIT = 64 << 20, NAME_BYTES = 255 };

/* The names so far, each once. */
struct names {
    struct arena *arena;
    const char **items; /* ended by NULL */
    size_t count, capacity;
    struct map known;
    bool wrong; /* the text cannot be read, or there are too many */
};

static void add_name(struct names *names, struct slice name)
{
    bool fits = name.length > 0 && name.length <= NAME_BYTES && name.text[0] != '-' &&
                names->count < LAUNCH_NODES;
    for (size_t i = 0; i < name.length && fits; i++)
        fits = isalnum((unsigned char)name.text[i]) || strchr("-._", name.text[i]);
    names->wrong |= !fits;
    if (names->wrong || map_find(&names->known, name) != MAP_NONE)
        return;
    char *copy = arena_copy(names->arena, name.text, name.length);
    names->items =
        memory_grow(names->items, &names->capacity, names->count + 2, sizeof *names->items);
    map_add(&names->known, (struct slice){copy, name.length}, (uint32_t)names->count);
    names->items[names->count++] = copy;
    names->items[names->count] = NULL;
}

/* ---- hostlists ---- */

static void expand(struct names *names, struct str *start, struct slice rest);

/* Reads a number of a range; true if it has 1 to 9 digits. */
static bool read_number(const char **at, const char *end, unsigned long *number, int *digits)
{
    const char *first = *at;
    *number = 0;
    for (; *at < end && isdigit((unsigned char)**at) && *at - first < 9; ++*at)
        *number = *number * 10 + (unsigned long)(**at - '0');
    *digits = (int)(*at - first);
    return *digits > 0;
}

/* One range of the list in brackets, "1-3" or "07"; `rest` comes after the brackets. */
static void expand_range(struct names *names, const struct str *start, struct slice range,
                         struct slice rest)
{
    const char *at = range.text, *end = range.text + range.length;
    unsigned long low, high;
    int width, ignored;
    names->wrong |= !read_number(&at, end, &low, &width);
    high = low;
    if (at < end && *at == '-') {
        at++;
        names->wrong |= !read_number(&at, end, &high, &ignored);
    }
    names->wrong |= at != end || high < low || high - low >= LAUNCH_NODES;
    for (unsigned long number = low; number <= high && !names->wrong; number++) {
        struct str name = {0};
        str_printf(&name, "%s%0*lu", str_text(start), width, number);
        expand(names, &name, rest);
        str_free(&name);
    }
}

/* Adds all names that start with `start` and go on as `rest` says, which has no comma outside [].
 */
static void expand(struct names *names, struct str *start, struct slice rest)
{
    const char *open = memchr(rest.text, '[', rest.length);
    if (!open) {
        str_add_bytes(start, rest.text, rest.length);
        add_name(names, (struct slice){str_text(start), start->length});
        return;
    }
    const char *end = rest.text + rest.length, *close = memchr(open, ']', (size_t)(end - open));
    names->wrong |= !close;
    if (names->wrong)
        return;
    str_add_bytes(start, rest.text, (size_t)(open - rest.text));
    struct slice after = {close + 1, (size_t)(end - close - 1)};
    for (const char *at = open + 1; at <= close && !names->wrong;) {
        size_t length = strcspn(at, ",]");
        expand_range(names, start, (struct slice){at, length}, after);
        at += length + 1;
    }
}

static void read_hostlist(struct names *names, const char *text)
{
    while (*text && !names->wrong) {
        const char *end = text;
        for (bool inside = false; *end && (inside || !strchr(", \n", *end)); end++)
            inside = *end == '[' || (inside && *end != ']');
        struct str start = {0};
        if (end > text)
            expand(names, &start, (struct slice){text, (size_t)(end - text)});
        str_free(&start);
        text = end + (*end != 0);
    }
}

/* ---- files, pairs and programs ---- */

/* The first word of each line; what follows are slots and queues. */
static void read_lines(struct names *names, const char *path)
{
    struct err e = {0};
    struct str text = {0};
    str_read_file(&text, path, FILE_LIMIT, &e);
    for (const char *at = str_text(&text); *at;) {
        at += strspn(at, " \t");
        struct slice name = {at, strcspn(at, " \t\r\n")};
        if (name.length > 0)
            add_name(names, name);
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    str_free(&text);
}

/* Takes the next word of a text, of which the length is 0 at the end. */
static struct slice next_word(const char **at)
{
    *at += strspn(*at, " ");
    struct slice word = {*at, strcspn(*at, " ")};
    *at += word.length;
    return word;
}

/* "a 42 b 42": names, each with its slots. */
static void read_pairs(struct names *names, const char *text)
{
    const char *at = text;
    while (*at) {
        struct slice name = next_word(&at), slots = next_word(&at);
        if (slots.length > 0)
            add_name(names, name);
    }
}

static void read_program(struct names *names, const char *const *words)
{
    struct err e = {0};
    struct str out = {0};
    struct command_options options = {.limit = 10};
    int status = 0;
    if (command_run(words, &options, &out, NULL, &status, &e) == 0 && status == 0)
        read_hostlist(names, str_text(&out));
    str_free(&out);
}

static const char *value_of(const char *variable)
{
    const char *value = variable ? getenv(variable) : NULL;
    return value && *value ? value : NULL;
}

const char *const *nodes_of(const struct scheduler *row, bool may_ask, struct arena *arena,
                            size_t *count)
{
    struct names names = {.arena = arena};
    if (value_of(row->node_list))
        read_hostlist(&names, value_of(row->node_list));
    else if (value_of(row->node_cores))
        read_pairs(&names, value_of(row->node_cores));
    else if (value_of(row->node_file))
        read_lines(&names, value_of(row->node_file));
    else if (may_ask && row->node_program[0])
        read_program(&names, row->node_program);
    const char **items = NULL;
    size_t apart = value_of(row->apart) && names.count > 1; /* the first one only runs the script */
    *count = names.wrong ? 0 : names.count - apart;
    if (*count > 0) {
        items = arena_new(arena, *count + 1, sizeof *items);
        memcpy(items, names.items + apart, *count * sizeof *items);
    }
    free(names.items);
    map_free(&names.known);
    return items;
}
