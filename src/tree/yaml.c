/*
 * yaml.c - YAML text as a tree.
 *
 * Anchors, tags, several documents and keys that are not text are refused, each with its own
 * message. Types are not those of YAML: node_value_kind() decides, so that 1e-5 is a number and
 * `no` is text.
 */
#include "tree/tree.h"

#include <yaml.h>

enum { DEPTH_LIMIT = 32, NODE_LIMIT = 4000000 };

struct yaml {
    yaml_parser_t parser;
    struct arena *arena;
    const struct source *source;
    struct err_list *mistakes;
    size_t nodes;
    bool broken; /* there is no tree: reading ends here */
};

static struct place place_of(const struct yaml *y, yaml_mark_t mark)
{
    return (struct place){y->source, (int)mark.line + 1, (int)mark.column + 1};
}

static void stop(struct yaml *y, struct place place, const char *message)
{
    mistake(y->mistakes, place, "%s", message);
    y->broken = true;
}

/* The messages of libyaml, and their meaning for somebody who does not know its grammar. */
static const char *in_plain_words(const char *problem)
{
    static const struct {
        const char *problem, *meaning;
    } words[] = {
        {"mapping values are not allowed in this context",
         "':' is not expected here: text with ': ' in it needs quotes, and the keys of a section "
         "need the same indentation"},
        {"did not find expected key",
         "a key is expected here: the keys of a section need the same indentation, and text that "
         "starts with a quote must end with one"},
        {"did not find expected ',' or '}'",
         "',' or '}' is expected here: a bracket is not closed, or text with one of ,[]{} in it "
         "needs quotes"},
        {"did not find expected ',' or ']'",
         "',' or ']' is expected here: a bracket is not closed, or text with one of ,[]{} in it "
         "needs quotes"},
        {"could not find expected ':'", "a ':' and a value are missing after this key"},
        {"did not find expected '-' indicator",
         "'-' is expected here: the items of a list need the same indentation"},
        {"block sequence entries are not allowed in this context",
         "a list with '-' starts on its own line, below its key"},
        {"mapping keys are not allowed in this context", "a key is not expected here"},
        {"found character that cannot start any token",
         "no value can start with this character: put the text in quotes"},
        {"found a tab character that violates indentation",
         "a tab is used for indentation: use spaces"},
        {"found a tab character where an indentation space is expected",
         "a tab is used for indentation: use spaces"},
        {"found unexpected end of stream",
         "the file ends inside quoted text: a closing quote is missing"},
        {"found unexpected document indicator",
         "'---' is inside quoted text: a closing quote is missing"},
        {"found unknown escape character",
         "unknown escape: use single quotes, which leave a backslash as it is"},
        {"did not find expected hexdecimal number",
         "an escape with \\x, \\u or \\U needs hexadecimal digits"},
        {"found invalid Unicode character escape code", "this escape is not a Unicode character"},
        {"control characters are not allowed", "a control character is not allowed here"},
        {"did not find expected node content", "a value is expected here"},
        {"did not find expected <document start>",
         "this does not belong to what comes before it: check the indentation"},
        {"did not find expected comment or line break", "a line break is expected here"},
        {"did not find expected alphabetic or numeric character",
         "text that starts with & or * needs quotes"},
        {"found undefined tag handle", "text that starts with ! needs quotes"},
        {NULL, NULL},
    };
    size_t i = 0;
    while (words[i].problem && strcmp(words[i].problem, problem) != 0)
        i++;
    return words[i].meaning;
}

static void syntax_mistake(struct yaml *y)
{
    const char *problem = y->parser.problem ? y->parser.problem : "this is not YAML";
    const char *meaning = in_plain_words(problem);
    struct place place = place_of(y, y->parser.problem_mark);
    if (y->parser.error == YAML_READER_ERROR)
        place = place_of_byte(y->source, y->parser.problem_offset);
    /* The start of a quote or key is more useful than the place where libyaml gave up. */
    if (strcmp(problem, "found unexpected end of stream") == 0 ||
        strcmp(problem, "could not find expected ':'") == 0)
        place = place_of(y, y->parser.context_mark);
    if (place_byte(place) == '\t')
        meaning = "a tab is used for indentation: use spaces";
    stop(y, place, meaning ? meaning : problem);
}

/* Takes the next event; false if there is none. The caller deletes it. */
static bool next(struct yaml *y, yaml_event_t *event)
{
    if (y->broken)
        return false;
    if (yaml_parser_parse(&y->parser, event))
        return true;
    if (y->parser.error == YAML_MEMORY_ERROR)
        memory_out();
    syntax_mistake(y);
    return false;
}

static struct node *read_node(struct yaml *y, const yaml_event_t *event, int depth);

static void check_tag(struct yaml *y, const char *tag, struct place place)
{
    static const char yaml[] = "tag:yaml.org,2002:"; /* what !! stands for */
    if (!tag || strcmp(tag, "!") == 0 || strcmp(tag, YAML_STR_TAG) == 0)
        return;
    bool short_form = strncmp(tag, yaml, sizeof yaml - 1) == 0;
    mistake(y->mistakes, place, "tags such as %s%s are not supported: leave it out",
            short_form ? "!!" : "", shown(short_form ? tag + sizeof yaml - 1 : tag).text);
}

static void check_anchor(struct yaml *y, const yaml_char_t *anchor, struct place place)
{
    if (anchor)
        mistake(y->mistakes, place,
                "anchors such as &%s are not supported: leave it out, or put text that starts with "
                "& in quotes",
                shown((const char *)anchor).text);
}

static struct node *read_scalar(struct yaml *y, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    const char *tag = (const char *)event->data.scalar.tag;
    struct place place = place_of(y, event->start_mark);
    check_anchor(y, event->data.scalar.anchor, place);
    check_tag(y, tag, place);
    if (strlen(text) != length)
        mistake(y->mistakes, place, "text cannot contain a zero byte");
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !tag;
    return node_scalar(y->arena, arena_copy(y->arena, text, strlen(text)), plain, place);
}

static struct node *new_collection(struct yaml *y, enum node_kind kind, yaml_mark_t mark,
                                   const yaml_char_t *anchor, const yaml_char_t *tag)
{
    struct place place = place_of(y, mark);
    check_anchor(y, anchor, place);
    check_tag(y, (const char *)tag, place);
    return node_new(y->arena, kind, place);
}

/* The next node of a collection; NULL at its end, and when reading has to stop. */
static struct node *next_item(struct yaml *y, yaml_event_type_t end, int depth)
{
    yaml_event_t event;
    if (!next(y, &event))
        return NULL;
    struct node *item = event.type == end ? NULL : read_node(y, &event, depth + 1);
    yaml_event_delete(&event);
    return item;
}

static struct node *read_list(struct yaml *y, const yaml_event_t *start, int depth)
{
    struct node *list =
        new_collection(y, NODE_LIST, start->start_mark, start->data.sequence_start.anchor,
                       start->data.sequence_start.tag);
    struct node *item;
    while ((item = next_item(y, YAML_SEQUENCE_END_EVENT, depth)))
        node_add(list, NULL, item->place, item);
    return list;
}

/* Adds an item to a mapping, unless its key is wrong. */
static void add_pair(struct yaml *y, struct node *map, struct map *keys, const struct node *key,
                     struct node *value)
{
    size_t before = y->mistakes->count;
    if (key->kind != NODE_SCALAR) {
        mistake(y->mistakes, key->place, "%s cannot be a key: text is expected here",
                node_kind_name(key));
    } else if (strlen(key->text) > TREE_KEY_BYTES) {
        mistake(y->mistakes, key->place, "a key has more than %d bytes", TREE_KEY_BYTES);
    } else if (map_find(keys, slice_of(key->text)) != MAP_NONE) {
        mistake(y->mistakes, key->place, "the key '%s' appears twice", shown(key->text).text);
    } else {
        map_add(keys, slice_of(key->text), 0);
        node_add(map, key->text, key->place, value);
    }
    map->wrong |= y->mistakes->count > before;
}

static struct node *read_map(struct yaml *y, const yaml_event_t *start, int depth)
{
    struct node *map =
        new_collection(y, NODE_MAP, start->start_mark, start->data.mapping_start.anchor,
                       start->data.mapping_start.tag);
    struct node *key, *value;
    struct map keys = {0};
    while ((key = next_item(y, YAML_MAPPING_END_EVENT, depth)) &&
           (value = next_item(y, YAML_MAPPING_END_EVENT, depth)))
        add_pair(y, map, &keys, key, value);
    map_free(&keys);
    return map;
}

/* Stands in for what cannot be read. */
static struct node *wrong_node(struct yaml *y, struct place place)
{
    struct node *node = node_scalar(y->arena, "", false, place);
    node->wrong = true;
    return node;
}

/* The node that starts with this event; NULL when reading has to stop. */
static struct node *read_node(struct yaml *y, const yaml_event_t *event, int depth)
{
    struct place place = place_of(y, event->start_mark);
    if (depth > DEPTH_LIMIT)
        stop(y, place, "lists and mappings are nested too deeply here");
    else if (++y->nodes > NODE_LIMIT)
        stop(y, place, "the file has too many values");
    if (y->broken)
        return NULL;
    switch (event->type) {
    case YAML_SCALAR_EVENT: return read_scalar(y, event);
    case YAML_SEQUENCE_START_EVENT: return read_list(y, event, depth);
    case YAML_MAPPING_START_EVENT: return read_map(y, event, depth);
    case YAML_ALIAS_EVENT:
        mistake(y->mistakes, place,
                "aliases such as *%s are not supported: write the value out, or put text that "
                "starts with * in quotes",
                shown((const char *)event->data.alias.anchor).text);
        return wrong_node(y, place);
    default: BUG("libyaml gave event %d where a node is expected", (int)event->type);
    }
}

/* Reads the whole stream, which must have exactly one document. */
static struct node *read_stream(struct yaml *y)
{
    struct node *root = NULL;
    yaml_event_t event;
    bool end = false;
    while (!end && next(y, &event)) {
        struct place place = place_of(y, event.start_mark);
        end = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && root)
            stop(y, place, "a second document starts here: a study file has only one");
        else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT &&
                 event.type != YAML_DOCUMENT_END_EVENT && !end)
            root = read_node(y, &event, 0);
        yaml_event_delete(&event);
    }
    return root;
}

struct node *node_read_yaml(struct arena *arena, const struct source *source,
                            struct err_list *mistakes)
{
    struct yaml y = {.arena = arena, .source = source, .mistakes = mistakes};
    size_t good = utf8_check(source->text, source->length);
    if (good < source->length) {
        mistake(mistakes, place_of_byte(source, good), "this is not UTF-8 text");
        return NULL;
    }
    if (!yaml_parser_initialize(&y.parser))
        memory_out();
    yaml_parser_set_input_string(&y.parser, (const unsigned char *)source->text, source->length);
    struct node *root = read_stream(&y);
    yaml_parser_delete(&y.parser);
    if (!root && !y.broken)
        mistake(mistakes, (struct place){source, 0, 0}, "the file is empty");
    return y.broken ? NULL : root;
}
