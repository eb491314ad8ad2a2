/*
 * keys.c - the keys of a section, and keys that do not belong there: misspelled ones, and those of
 * another section or another tool.
 */
#include "study/read.h"

enum { KEYS = 64 }; /* the largest number of keys in a section */

static const struct field *find_field(const struct field *fields, const char *name)
{
    while (fields->name && strcmp(fields->name, name) != 0)
        fields++;
    return fields->name ? fields : NULL;
}

/* ---- where a key belongs ---- */

/* The section with this key, or NULL. */
static const char *home_of(const char *key)
{
    static const struct {
        const char *name;
        const struct field *fields;
    } sections[] = {{"model", model_fields},
                    {"search", search_fields},
                    {"job", job_fields},
                    {"container", container_fields}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const struct field *field = find_field(sections[i].fields, key);
        if (field && field->read)
            return sections[i].name;
    }
    return NULL;
}

/* True for {log: [1e-5, 1e-1]} and the like. */
static bool looks_like_parameter(const struct node *item)
{
    for (size_t i = 0; i < PARAMETER_KINDS; i++)
        if (node_find(item, parameter_keys[i]))
            return true;
    return false;
}

static void belongs_under(struct reader *reader, const struct node *item, const char *section)
{
    size_t length = strlen(item->text);
    bool show = item->kind == NODE_SCALAR && length <= 40 && strcspn(item->text, "'\n") == length;
    const char *quote = show && !item->plain ? "'" : "";
    mistake(reader->mistakes, item->key_place, "'%s' belongs under '%s': write %s: {%s: %s%s%s}",
            shown(item->key).text, section, section, shown(item->key).text, quote,
            show ? item->text : "...", quote);
}

bool is_misplaced(struct reader *reader, const struct node *map, const struct node *item)
{
    const char *home = home_of(item->key);
    bool at_top = !map->key, is_section = find_field(section_fields, item->key);
    if (home && (at_top || strcmp(home, map->key) != 0))
        belongs_under(reader, item, home);
    else if (is_section && !at_top)
        mistake(reader->mistakes, item->key_place,
                "'%s' belongs at the top level of the file, not under '%s'", item->key,
                shown(map->key).text);
    else if (looks_like_parameter(item))
        belongs_under(reader, item, "space");
    else if (is_one_of(item->key, parameter_keys))
        mistake(reader->mistakes, item->key_place,
                "'%s' belongs to a parameter: write it as in space: {x: {int: [1, 5], %s: ...}}",
                item->key, item->key);
    else
        return false;
    return true;
}

bool is_no_parameter(struct reader *reader, const struct node *item)
{
    bool is_plain = item->kind == NODE_SCALAR; /* a constant may have any name */
    if (!is_plain && find_field(section_fields, item->key) && !looks_like_parameter(item))
        mistake(reader->mistakes, item->key_place,
                "'%s' belongs at the top level of the file, not under 'space'", item->key);
    else if (item->kind == NODE_LIST && is_one_of(item->key, parameter_keys))
        mistake(reader->mistakes, item->key_place,
                "'%s' is a kind of parameter whose name is missing: write it as in x: {%s: ...}",
                item->key, item->key);
    else
        return false;
    return true;
}

/* ---- unknown keys ---- */

static void list_names(const struct field *fields, const char *names[KEYS + 1])
{
    size_t count = 0;
    for (; fields->name && count < KEYS; fields++)
        if (fields->read)
            names[count++] = fields->name;
    names[count] = NULL;
}

/* True for a key of another tool that stands for this one. */
static bool is_foreign(const struct node *item, const char *key)
{
    struct shown here;
    size_t length = strlen(key);
    return key_elsewhere(item, &here) && strncmp(here.text, key, length) == 0 &&
           here.text[length] == ':';
}

/* What an unknown key is likely to mean: the section that has it, or the closest name. */
static const char *likely_name(const struct node *item, const char *const *names)
{
    const char *home = home_of(item->key);
    if (home)
        return home;
    return looks_like_parameter(item) ? "space" : str_nearest(item->key, names);
}

bool is_explained(const struct node *map, const struct field *fields, const char *key)
{
    const char *names[KEYS + 1];
    list_names(fields, names);
    for (const struct node *item = map->first; item; item = item->next) {
        const char *likely = find_field(fields, item->key) ? NULL : likely_name(item, names);
        if ((likely && strcmp(likely, key) == 0) || is_foreign(item, key))
            return true;
    }
    return false;
}

/* In `search`, the options of the algorithm are keys as well. */
static void add_options(const struct reader *reader, const struct node *map,
                        const char *names[KEYS + 1])
{
    size_t count = 0;
    while (names[count])
        count++;
    if (map == reader->search)
        for (const struct option *option = reader->options; option->name; option++)
            if (count < KEYS)
                names[count++] = option->name;
    names[count] = NULL;
}

/* Reports a key that is not in the table. */
static void unknown_key(struct reader *reader, const struct node *item, const char *const *names)
{
    struct shown here;
    if (!reader->site && key_elsewhere(item, &here))
        mistake(reader->mistakes, item->key_place, "unknown key '%s': write %s",
                shown(item->key).text, here.text);
    else
        unknown_word(reader, item->key_place, "key", item->key, names);
}

void read_fields(struct reader *reader, const struct node *map, const struct field *fields)
{
    const char *names[KEYS + 1];
    list_names(fields, names);
    add_options(reader, map, names);
    for (const struct node *item = map->first; item; item = item->next) {
        const struct field *field = find_field(fields, item->key);
        if (field && !field->read)
            mistake(reader->mistakes, item->key_place, "unknown key '%s': %s", item->key,
                    field->instead);
        else if (field && !(item->wrong && item->kind == NODE_SCALAR))
            field->read(reader, item);
        else if (!field && map == reader->search && read_option(reader, item))
            continue;
        else if (!field && (reader->site || !is_misplaced(reader, map, item)))
            unknown_key(reader, item, names);
    }
}
