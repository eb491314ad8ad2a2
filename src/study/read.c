/* read.c - single values of a study file, and the mistakes in them. */
#include "study/read.h"

#include <math.h>
#include <strings.h>
#include <unistd.h>

enum { VARIABLES = 1000, WORDS = 100 };

/* ---- words ---- */

/* Lists words as "a, b, c"; what does not fit becomes "...". */
static void list_words(const char *const *words, char *list, size_t size)
{
    size_t used = 0;
    list[0] = 0;
    for (size_t i = 0; words[i]; i++) {
        if (i == 20 || used + strlen(words[i]) + 8 > size) {
            snprintf(list + used, size - used, "%s", i ? ", ..." : "...");
            return;
        }
        used += (size_t)snprintf(list + used, size - used, "%s%s", i ? ", " : "", words[i]);
    }
}

struct advice advice(struct reader *reader, const char *word, const char *const *words)
{
    struct advice advice;
    /* Beyond the limit nobody sees the message, and finding a close word takes time. */
    bool seen = reader->mistakes->count < ERR_LIST_LIMIT;
    const char *nearest = seen ? str_nearest(word, words) : NULL;
    if (nearest) {
        snprintf(advice.text, sizeof advice.text, "did you mean '%s'?", shown(nearest).text);
        return advice;
    }
    size_t used = (size_t)snprintf(advice.text, sizeof advice.text, "use one of ");
    list_words(words, advice.text + used, sizeof advice.text - used);
    return advice;
}

void unknown_word(struct reader *reader, struct place place, const char *what, const char *word,
                  const char *const *words)
{
    mistake(reader->mistakes, place, "unknown %s '%s': %s", what, shown(word).text,
            advice(reader, word, words).text);
}

const char *find_synonym(const struct synonym *synonyms, const char *name)
{
    while (synonyms->name && strcasecmp(synonyms->name, name) != 0)
        synonyms++;
    return synonyms->here;
}

const char *path_base(struct reader *reader, const struct node *value)
{
    bool from_word = value->place.source && value->place.source->file[0] == 0;
    if (reader->edited && value->place.source == reader->edited)
        return reader->edited_folder;
    char *here = from_word ? getcwd(NULL, 0) : NULL;
    const char *base =
        here ? arena_copy(&reader->study->arena, here, strlen(here)) : reader->folder;
    free(here);
    return base;
}

bool is_checked(const struct reader *reader, const struct node *value)
{
    return !reader->is_restored || (reader->edited && value->place.source == reader->edited);
}

bool is_name(const char *text, const char *others)
{
    for (const char *p = text; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_';
        bool later = (*p >= '0' && *p <= '9') || strchr(others, *p);
        if (!letter && (p == text || !later))
            return false;
    }
    return *text != 0;
}

bool is_built_in(const char *name)
{
    static const char *const names[] = {"trial",      "params", "result", "dir",
                                        "checkpoint", "seed",   NULL};
    return is_one_of(name, names);
}

const char *const *parameter_names(struct reader *reader)
{
    const struct space *space = &reader->study->space;
    if (!reader->names) {
        reader->names = arena_new(&reader->study->arena, space->count + 1, sizeof *reader->names);
        for (size_t i = 0; i < space->count; i++)
            reader->names[i] = space->parameters[i].name;
    }
    return reader->names;
}

/* ---- values ---- */

bool read_map_of(struct reader *reader, const struct node *value, const char *example)
{
    if (value->kind == NODE_MAP && value->count > 0)
        return true;
    bool empty = value->kind == NODE_MAP || (value->kind == NODE_SCALAR && value->text[0] == 0);
    if (empty && value->wrong)
        return false;
    if (empty)
        mistake(reader->mistakes, value->key_place, "'%s' is empty: write it as in %s", value->key,
                example);
    else
        mistake(reader->mistakes, value->place, "'%s' must be a mapping, not %s: write it as in %s",
                value->key, node_kind_name(value), example);
    return false;
}

bool read_text(struct reader *reader, const struct node *value, const char **text)
{
    const char *key = value->key; /* NULL: it is an item of a list */
    if (value->kind != NODE_SCALAR && key)
        mistake(reader->mistakes, value->place, "'%s' must be a single value, not %s", key,
                node_kind_name(value));
    else if (value->kind != NODE_SCALAR)
        mistake(reader->mistakes, value->place, "a single value is expected here, not %s",
                node_kind_name(value));
    else if (value->text[0] == 0 && key)
        mistake(reader->mistakes, value->key_place, "'%s' has no value", key);
    else if (value->text[0] == 0)
        mistake(reader->mistakes, value->place, "a value is missing here");
    *text = value->text;
    return value->kind == NODE_SCALAR && value->text[0];
}

bool read_number(struct reader *reader, const struct node *value, double *number)
{
    const char *text;
    if (!read_text(reader, value, &text))
        return false;
    if (decimal_number(text, number))
        return true;
    mistake(reader->mistakes, value->place, "'%s' must be a number, not '%s'", value->key,
            shown(text).text);
    return false;
}

/* Digits are read directly, since a double cannot hold all numbers of 64 bits. */
static bool whole_number(const char *text, uint64_t *number)
{
    double real;
    if (text[0] && text[strspn(text, "0123456789")] == 0 && strlen(text) < 20) {
        *number = strtoull(text, NULL, 10);
        return true;
    }
    bool good = decimal_number(text, &real) && real == floor(real) && real >= 0 && real <= 0x1p53;
    *number = good ? (uint64_t)real : 0;
    return good;
}

bool read_whole(struct reader *reader, const struct node *value, uint64_t least, uint64_t most,
                uint64_t *number)
{
    const char *text;
    if (!read_text(reader, value, &text))
        return false;
    uint64_t whole;
    if (whole_number(text, &whole) && whole >= least && whole <= most) {
        *number = whole;
        return true;
    }
    mistake(reader->mistakes, value->place,
            "'%s' must be a whole number from %llu to %llu, not '%s'", value->key,
            (unsigned long long)least, (unsigned long long)most, shown(text).text);
    return false;
}

bool read_bool(struct reader *reader, const struct node *value, bool *flag)
{
    const char *text;
    if (!read_text(reader, value, &text))
        return false;
    if (value->plain && node_value_kind(value) == VALUE_BOOL) {
        *flag = text[0] == 't' || text[0] == 'T';
        return true;
    }
    mistake(reader->mistakes, value->place, "'%s' must be true or false, not '%s'", value->key,
            shown(text).text);
    return false;
}

bool read_seconds(struct reader *reader, const struct node *value, double *seconds)
{
    const char *text;
    if (!read_text(reader, value, &text))
        return false;
    if (study_seconds(text, seconds))
        return true;
    mistake(reader->mistakes, value->place,
            "'%s' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not '%s'", value->key,
            shown(text).text);
    return false;
}

bool read_size(struct reader *reader, const struct node *value, uint64_t *bytes)
{
    const char *text;
    uint64_t size;
    if (!read_text(reader, value, &text))
        return false;
    bool good = false;
    if (!study_bytes(text, &size))
        mistake(reader->mistakes, value->place, "'%s' must be a size such as 512M or 2G, not '%s'",
                value->key, shown(text).text);
    else if (size > 0 && size < 1 << 20)
        mistake(reader->mistakes, value->place,
                "'%s' is less than 1M, too little for any program: add a unit, as in 512M",
                value->key);
    else
        good = true;
    if (good)
        *bytes = size;
    return good;
}

bool read_word(struct reader *reader, const struct node *value, const char *const *words,
               size_t *index)
{
    const char *text;
    if (!read_text(reader, value, &text))
        return false;
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *index = i;
            return true;
        }
    }
    mistake(reader->mistakes, value->place, "'%s' cannot be '%s': %s", value->key, shown(text).text,
            advice(reader, text, words).text);
    return false;
}

/* ---- several values ---- */

bool read_variables(struct reader *reader, const struct node *value, const char *example,
                    struct study_variable **variables, size_t *count)
{
    if (!read_map_of(reader, value, example))
        return false;
    if (value->count > VARIABLES) {
        mistake(reader->mistakes, value->place, "'%s' has more than %d variables", value->key,
                VARIABLES);
        return false;
    }
    *variables = arena_new(&reader->study->arena, value->count, sizeof **variables);
    *count = 0;
    for (const struct node *item = value->first; item; item = item->next) {
        if (!is_name(item->key, ""))
            mistake(reader->mistakes, item->key_place,
                    "'%s' cannot be the name of a variable: use letters, digits and _",
                    shown(item->key).text);
        else if (strlen(item->key) > TREE_KEY_BYTES)
            mistake(reader->mistakes, item->key_place,
                    "the name of a variable has more than %d bytes", TREE_KEY_BYTES);
        else if (item->kind != NODE_SCALAR)
            mistake(reader->mistakes, item->place, "'%s' must be a single value, not %s",
                    shown(item->key).text, node_kind_name(item));
        bool empty = item->kind != NODE_SCALAR || node_value_kind(item) == VALUE_NULL;
        (*variables)[(*count)++] = (struct study_variable){item->key, empty ? "" : item->text};
    }
    return true;
}

static const char **split_words(struct arena *arena, const char *text)
{
    const char **words = arena_new(arena, WORDS + 1, sizeof *words);
    for (size_t count = 0; count < WORDS; count++) {
        text += strspn(text, " \t\n");
        size_t length = strcspn(text, " \t\n");
        if (length == 0)
            break;
        words[count] = arena_copy(arena, text, length);
        text += length;
    }
    return words;
}

static const char **list_of_words(struct reader *reader, const struct node *list)
{
    const char **words = arena_new(&reader->study->arena, list->count + 1, sizeof *words);
    size_t count = 0;
    for (const struct node *item = list->first; item && count < WORDS; item = item->next)
        if (read_text(reader, item, &words[count]))
            count++;
    return words;
}

const char *const *read_plain_words(struct reader *reader, const struct node *value)
{
    const char **words = NULL;
    if (value->kind == NODE_LIST)
        words = list_of_words(reader, value);
    else if (value->kind == NODE_SCALAR)
        words = split_words(&reader->study->arena, value->text);
    return words && words[0] && words[0][0] ? words : NULL;
}
