/* tree.c - nodes: create, find, change and write them. */
#include "tree/tree.h"

#include <math.h>

/* ---- numbers ---- */

static const char *skip_digits(const char *p)
{
    return p + strspn(p, "0123456789");
}

const char *decimal_end(const char *text)
{
    const char *whole = skip_digits(text), *end = whole;
    size_t count = (size_t)(whole - text);
    if (*whole == '.') {
        end = skip_digits(whole + 1);
        count += (size_t)(end - whole - 1);
    }
    return count > 0 ? end : NULL;
}

bool decimal_number(const char *text, double *number)
{
    const char *p = decimal_end(text + (*text == '-' || *text == '+'));
    if (!p)
        return false;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1 + (p[1] == '-' || p[1] == '+');
        p = skip_digits(exponent);
        if (p == exponent)
            return false;
    }
    if (*p)
        return false;
    *number = strtod(text, NULL);
    return isfinite(*number);
}

bool is_decimal(struct slice text)
{
    char copy[64];
    double number;
    if (text.length >= sizeof copy)
        return false;
    memcpy(copy, text.text, text.length);
    copy[text.length] = 0;
    return decimal_number(copy, &number);
}

/* ---- nodes ---- */

struct node *node_new(struct arena *arena, enum node_kind kind, struct place place)
{
    struct node *node = arena_new(arena, 1, sizeof *node);
    *node = (struct node){.kind = kind, .text = "", .place = place};
    return node;
}

struct node *node_scalar(struct arena *arena, const char *text, bool plain, struct place place)
{
    struct node *node = node_new(arena, NODE_SCALAR, place);
    node->text = text;
    node->plain = plain;
    return node;
}

struct node *node_copy(struct arena *arena, const struct node *node)
{
    struct node *copy = arena_new(arena, 1, sizeof *copy);
    *copy = *node;
    copy->key = NULL;
    copy->next = NULL;
    return copy;
}

void node_add(struct node *parent, const char *key, struct place key_place, struct node *item)
{
    item->key = key;
    item->key_place = key_place;
    if (parent->last)
        parent->last->next = item;
    else
        parent->first = item;
    parent->last = item;
    parent->count++;
}

struct node *node_find(const struct node *map, const char *key)
{
    if (map->kind != NODE_MAP)
        return NULL;
    struct node *item = map->first;
    while (item && strcmp(item->key, key) != 0)
        item = item->next;
    return item;
}

void node_set(struct node *map, const char *key, struct place key_place, struct node *item)
{
    struct node **link = &map->first;
    while (*link && strcmp((*link)->key, key) != 0)
        link = &(*link)->next;
    if (!*link) {
        node_add(map, key, key_place, item);
        return;
    }
    item->key = key;
    item->key_place = key_place;
    item->next = (*link)->next;
    map->last = map->last == *link ? item : map->last;
    *link = item;
}

void node_remove(struct node *map, const char *key)
{
    struct node *item = map->first;
    map->first = map->last = NULL;
    map->count = 0;
    while (item) {
        struct node *next = item->next;
        item->next = NULL;
        if (strcmp(item->key, key) != 0)
            node_add(map, item->key, item->key_place, item);
        item = next;
    }
}

bool is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(text, *words) != 0)
        words++;
    return *words != NULL;
}

enum value_kind node_value_kind(const struct node *scalar)
{
    static const char *const bools[] = {"true", "True", "TRUE", "false", "False", "FALSE", NULL};
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    double number;
    if (!scalar->plain)
        return VALUE_STRING;
    if (is_one_of(scalar->text, bools))
        return VALUE_BOOL;
    if (is_one_of(scalar->text, nulls))
        return VALUE_NULL;
    return decimal_number(scalar->text, &number) ? VALUE_NUMBER : VALUE_STRING;
}

const char *node_kind_name(const struct node *node)
{
    return node->kind == NODE_LIST ? "a list" : node->kind == NODE_MAP ? "a mapping" : "text";
}

/*
 * Appends a string in double quotes. YAML has escapes that JSON lacks: for control characters above
 * 127, for the line breaks of Unicode, and for characters that a YAML file must not contain.
 */
static void put_string(const char *text, struct str *s)
{
    str_add_char(s, '"');
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        const unsigned char *c = (const unsigned char *)text;
        length = utf8_length(text, left);
        if (length == 0)
            BUG("a text that is not UTF-8 came into the tree");
        uint32_t code = c[0];
        if (length == 2)
            code = (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
        else if (length == 3)
            code = (c[0] & 0xfu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
        bool escape = code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0x2028 ||
                      code == 0x2029 || code == 0xfeff || code == 0xfffe || code == 0xffff;
        if (escape && length < 4) {
            str_printf(s, "\\u%04x", code);
            continue;
        }
        if (code == '"' || code == '\\')
            str_add_char(s, '\\');
        str_add_bytes(s, text, length);
    }
    str_add_char(s, '"');
}

void node_put(const struct node *node, struct str *s)
{
    if (node->kind == NODE_SCALAR) {
        enum value_kind kind = node_value_kind(node);
        if (kind == VALUE_STRING)
            put_string(node->text, s);
        else
            str_add(s, node->text[0] ? node->text : "null");
        return;
    }
    str_add_char(s, node->kind == NODE_LIST ? '[' : '{');
    for (const struct node *item = node->first; item; item = item->next) {
        if (item->key) {
            put_string(item->key, s);
            str_add(s, ": ");
        }
        node_put(item, s);
        if (item->next)
            str_add(s, ", ");
    }
    str_add_char(s, node->kind == NODE_LIST ? ']' : '}');
}
