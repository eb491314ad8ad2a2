/*
 * directives.c - the options in a directive, and which directives are about the same thing.
 *
 * Of several directives about one thing, only the last is written: ours come first, then those of
 * the site and of the study. Schedulers disagree about such directives: some use the first, some
 * the last, and some refuse the job.
 */
#include "launch/schedulers.h"

/* ---- the options of a directive ---- */

/* Options while they are collected. */
struct options {
    const struct scheduler *row;
    struct directive_option *all;
    size_t count;
};

static void add_option(struct options *options, const char *option, const char *item, size_t length)
{
    if (options->count == DIRECTIVE_OPTIONS)
        return;
    struct directive_option *next = &options->all[options->count++];
    snprintf(next->text, sizeof next->text, "%s%s%.*s", option, length ? " " : "", (int)length,
             item);
}

/* The items of "select=2:ncpus=4,walltime=1:00:00" or "select[a && b] span[hosts=1]". */
static void add_items(struct options *options, const char *option, const char *value)
{
    int depth = 0; /* of brackets */
    const char *start = value;
    for (const char *at = value;; at++) {
        depth += (*at == '[') - (*at == ']');
        if (*at && (depth > 0 || !strchr(", ", *at)))
            continue;
        size_t length = strcspn(start, "=:[, ");
        if (length > 0)
            add_option(options, option, start, length);
        start = at + 1;
        if (!*at)
            return;
    }
}

static bool is_list(const struct scheduler *row, const char *option)
{
    return row->resources && strcmp(row->resources, option) == 0;
}

/* The next word, without its quotes; false at the end. */
static bool next_word(const char **at, struct str *word)
{
    char quote = 0;
    str_clear(word);
    *at += strspn(*at, " \t");
    if (!**at)
        return false;
    for (; **at && (quote || !strchr(" \t", **at)); (*at)++) {
        if (**at == quote)
            quote = 0;
        else if (!quote && strchr("'\"", **at))
            quote = **at;
        else
            str_add_char(word, **at);
    }
    return true;
}

/* Where the value starts in --option=value and -ovalue; the end if there is none. */
static size_t option_length(const struct scheduler *row, const char *word)
{
    bool is_long = word[1] == '-' || row->whole_words;
    size_t length = is_long ? strcspn(word, "=") : 2;
    return length < strlen(word) ? length : strlen(word);
}

size_t directive_options(const struct scheduler *row, const char *line,
                         struct directive_option options[DIRECTIVE_OPTIONS])
{
    struct options found = {.row = row, .all = options};
    struct str word = {0};
    char list[64] = ""; /* the option before this word, if it takes a list of resources */
    for (const char *at = line; next_word(&at, &word);) {
        const char *text = str_text(&word);
        if (text[0] != '-') {
            if (list[0])
                add_items(&found, list, text);
            list[0] = 0;
            continue;
        }
        char option[64];
        size_t length = option_length(row, text);
        snprintf(option, sizeof option, "%.*s", (int)length, text);
        const char *value = text + length + (text[length] == '=');
        snprintf(list, sizeof list, "%s", is_list(row, option) && !*value ? option : "");
        if (!is_list(row, option))
            add_option(&found, option, "", 0);
        else if (*value)
            add_items(&found, option, value);
    }
    str_free(&word);
    return found.count;
}

/* ---- what they are about ---- */

static const uint64_t OTHER = (uint64_t)1 << 63; /* a thing that is not in the table */

/* True if the option is one of the names in "--nodes|-N". */
static bool is_named(const char *names, const char *option)
{
    size_t length = strlen(option);
    for (const char *at = names; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, option, length) == 0 && (!at[length] || at[length] == '|'))
            return true;
    }
    return false;
}

/* The rows of the scheduler's table, as bits, that are about the same as a directive. */
static uint64_t things_of(const struct scheduler *row, const char *line)
{
    struct directive_option options[DIRECTIVE_OPTIONS];
    size_t count = directive_options(row, line, options);
    uint64_t all = count == 0 || count == DIRECTIVE_OPTIONS ? OTHER : 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t things = 0;
        for (size_t k = 0; row->directives[k].template; k++)
            if (is_named(row->directives[k].options, options[i].text))
                things |= (uint64_t)1 << k;
        all |= things ? things : OTHER;
    }
    return all;
}

bool directive_is_about(const struct scheduler *row, const char *line, const char *word)
{
    uint64_t things = things_of(row, line);
    for (size_t i = 0; row->directives[i].template; i++)
        if (things & (uint64_t)1 << i && strstr(row->directives[i].template, word))
            return true;
    return false;
}

size_t directives_last(const struct scheduler *row, const char **lines, size_t count)
{
    uint64_t later = 0; /* the things that later lines are about */
    size_t kept = count;
    for (size_t i = count; i-- > 0;) {
        uint64_t things = things_of(row, lines[i]);
        if (things & ~later)
            lines[--kept] = lines[i];
        later |= things & ~OTHER;
    }
    memmove(lines, lines + kept, (count - kept) * sizeof *lines);
    return count - kept;
}

/* The value of a directive that is nothing but --gres=VALUE; NULL: it is another one. */
static const char *value_to_join(const struct scheduler *row, const char *line)
{
    size_t length = row->joined ? strlen(row->joined) : 0;
    bool is_joined = length > 0 && strncmp(line, row->joined, length) == 0 && !strchr(line, ' ');
    return is_joined ? line + length : NULL;
}

size_t directives_join(const struct scheduler *row, const char **lines, size_t count,
                       struct arena *arena)
{
    const char **first = NULL; /* the line that the others are appended to */
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const char *value = value_to_join(row, lines[i]);
        if (value && first) {
            *first = arena_printf(arena, "%s,%s", *first, value);
            continue;
        }
        lines[kept] = lines[i];
        if (value)
            first = &lines[kept];
        kept++;
    }
    return kept;
}
