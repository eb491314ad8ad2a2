/*
 * tree - what the user wrote, as a tree whose nodes know their place.
 *
 * A YAML file and the words of a command line become the same tree, so every check is written once,
 * and a mistake can be shown where it was made. The room knows nothing of studies. Nodes live in
 * the arena of the caller; a source must outlive the nodes and mistakes that point to it.
 */
#ifndef TREE_TREE_H
#define TREE_TREE_H

#include "base/base.h"
#include "space/space.h"

enum { TREE_KEY_BYTES = 200 }; /* the length limit of a key */

/* A file, or a word of the command line such as "--trials 50". */
struct source {
    const char *file; /* "" for a word */
    const char *text; /* not ended by a zero byte */
    size_t length;
};

/* Lines and columns count from 1, columns in characters. Without a source, there is no place. */
struct place {
    const struct source *source;
    int line, column;
};

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

/* A scalar, a list or a mapping. */
struct node {
    enum node_kind kind;
    bool plain;       /* a scalar without quotes: 5 is a number, true is a bool */
    bool wrong;       /* a mistake in it was reported, so what is missing in it is not reported */
    const char *text; /* text of a scalar */
    struct place place;
    const char *key; /* its key in a mapping, else NULL */
    struct place key_place;
    struct node *first, *last, *next; /* items of a list or a mapping */
    size_t count;
};

/* ---- tree.c ---- */

/* A node without items. */
struct node *node_new(struct arena *arena, enum node_kind kind, struct place place);
/* A scalar; the text still belongs to the caller. */
struct node *node_scalar(struct arena *arena, const char *text, bool plain, struct place place);
/* Appends an item; key is NULL in a list. */
void node_add(struct node *parent, const char *key, struct place key_place, struct node *item);
/* A copy with the same items that is not yet part of another node. */
struct node *node_copy(struct arena *arena, const struct node *node);
/* The item with this key, or NULL. */
struct node *node_find(const struct node *map, const char *key);
/* Replaces the item with the same key, or adds it at the end. */
void node_set(struct node *map, const char *key, struct place key_place, struct node *item);
/* Removes the item with this key, if there is one. */
void node_remove(struct node *map, const char *key);
/* What kind of value a scalar is; in quotes, it is always a string. */
enum value_kind node_value_kind(const struct node *scalar);
/* "text", "a list" or "a mapping". */
const char *node_kind_name(const struct node *node);
/* Appends the tree as YAML on one line. */
void node_put(const struct node *node, struct str *s);

/* ---- yaml.c ---- */

/* Reads YAML; NULL, and at least one mistake, if there is no tree. */
struct node *node_read_yaml(struct arena *arena, const struct source *source,
                            struct err_list *mistakes);

/* ---- mistake.c ---- */

/* Adds a mistake: ERR_USER, the place with the text of its line, and the message. */
void mistake(struct err_list *mistakes, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sorts mistakes by their place in the file; those of the command line come last. */
void mistakes_sort(struct err_list *mistakes);
/* The place of byte `offset` of a scalar; the start of the scalar if that is not known. */
struct place place_inside(const struct node *scalar, size_t offset);
/* The place of a byte of the source. */
struct place place_of_byte(const struct source *source, size_t offset);

/* The byte at a place; 0 at the end of a line. */
char place_byte(struct place place);

/* Text for a message, shortened if it is long. */
struct shown {
    char text[72];
};
/* Shortens text for a message. */
struct shown shown(const char *text);

/* True if the text is one of the words, which are ended by NULL. */
bool is_one_of(const char *text, const char *const *words);

/* ---- numbers (tree.c) ---- */

/* Reads a finite decimal number such as 3, -0.5 or 1e-5; false for any other text. */
bool decimal_number(const char *text, double *number);
/* True if the text is such a number. */
bool is_decimal(struct slice text);
/* The end of the digits, perhaps with a point, at the start of the text; NULL if there are none. */
const char *decimal_end(const char *text);

#endif
