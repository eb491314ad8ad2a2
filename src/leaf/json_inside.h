/* json_inside.h - what the files of the module json share (private to this room). */
#ifndef LEAF_JSON_INSIDE_H
#define LEAF_JSON_INSIDE_H

#include "leaf/modules.h"

/* Values are slices of a text that is known to be valid JSON, and nested no deeper than base
 * allows. */

struct json_member {
    struct slice name;  /* as it reads, ended by a zero byte */
    struct slice value; /* as it is written */
};

/* Each name once, in the order in which the names come first; its value is the last one. */
struct json_object {
    struct json_member *items;
    size_t count, capacity;
};

/* The kind of a value. */
enum json_kind leaf_json_kind(struct slice value);
/* True if a number has neither a point nor an exponent. */
bool leaf_json_is_whole(struct slice number);
/* Reads an object; leaf_json_object_free() it. The names are in the arena. */
void leaf_json_object(struct slice value, struct json_object *object, struct arena *arena);
/* Frees the items. */
void leaf_json_object_free(struct json_object *object);

enum json_notation {
    JSON_SHOWN,  /* as str() of Python shows a value: {'a': None} */
    JSON_DUMPED, /* as dumps() of Python's module json writes it: {"a": null} */
};

/* Appends a value as Python shows or writes it. */
void leaf_json_show(struct str *s, struct slice value, enum json_notation notation);

#endif
