/*
 * type.h - the types, and what is assignable to what (private to this room).
 *
 * Types are interned: the same type is the same pointer. They live in the arena of their table.
 */
#ifndef SWIFT_TYPE_H
#define SWIFT_TYPE_H

#include "syntax/syntax.h"

enum type_kind {
    TYPE_INT,
    TYPE_FLOAT,
    TYPE_STRING,
    TYPE_BOOLEAN,
    TYPE_VOID,
    TYPE_BLOB,
    TYPE_FILE,
    TYPE_URL,
    TYPE_UPDATEABLE, /* updateable_float */
    TYPE_ARRAY,      /* of `member` by `key` */
    TYPE_BAG,        /* of `member` */
    TYPE_STRUCT,
    TYPE_SUBTYPE, /* a name of its own for `base` */
    /* only of expressions, until they are settled */
    TYPE_NUMBER, /* a whole number as a literal: int or float, whichever fits; int if both do */
    TYPE_EMPTY,  /* the members and keys of [] and {}, an unbound <T>: whatever fits */
    TYPE_TUPLE,  /* `types`; of a call without an output: none */
    /* only of parameters of leaf functions */
    TYPE_UNION,    /* one of `types` */
    TYPE_VARIABLE, /* <T>; `count` is its number in the list of its function */
    TYPE_WRONG,    /* of an expression with a mistake that was reported: fits everything */
    TYPE_KINDS,
};

/* Types nest at most so deep; who makes arrays, bags and subtypes checks `depth` before. */
enum { TYPE_DEPTH = 200 };

struct type_field {
    struct slice name;
    const struct type *type;
    uint32_t at;
};

struct type {
    enum type_kind kind;
    struct slice name; /* of a simple type, a struct, a subtype or a variable */
    const struct type *key, *member;
    const struct type *base;
    struct type_field *fields; /* STRUCT */
    size_t field_count;
    const struct type *const *types; /* UNION, TUPLE */
    size_t count;
    uint32_t at;    /* where a struct or subtype is defined */
    unsigned depth; /* of arrays, bags and subtypes around each other */
    bool open;      /* it is or contains a NUMBER, EMPTY or UPDATEABLE, which can be settled */
};

struct types;

/* Creates the table with all simple types, in this arena. */
struct types *types_create(struct arena *arena);
/* A simple type: of a kind that needs nothing else. */
const struct type *type_simple(const struct types *types, enum type_kind kind);
/* An array. */
const struct type *type_array(struct types *types, const struct type *key,
                              const struct type *member);
/* A bag. */
const struct type *type_bag(struct types *types, const struct type *member);
/* A tuple; the types are copied. */
const struct type *type_tuple(struct types *types, const struct type *const *members, size_t count);
/* A union; the types are copied. */
const struct type *type_union(struct types *types, const struct type *const *members, size_t count);
/* A new struct, whose fields are set later, because they may name any type of the script. */
struct type *type_struct(struct types *types, struct slice name, uint32_t at);
/* A new subtype. */
struct type *type_subtype(struct types *types, struct slice name, const struct type *base,
                          uint32_t at);
/* A new type variable, the index-th of its function. */
const struct type *type_variable(struct types *types, struct slice name, size_t index);

/* What operators see: the type without names of subtypes around it, float for an updateable. */
const struct type *type_value(const struct types *types, const struct type *type);
/* The type without the names of subtypes around it. */
const struct type *type_base(const struct type *type);
/* True if the base has this kind. */
bool type_is(const struct type *type, enum type_kind kind);
/* True if a value of this type can be assigned to one of the other; literals fit what they can. */
bool type_fits(const struct type *from, const struct type *to);
/* The type that both fit, for members of a literal; NULL: none. */
const struct type *type_join(struct types *types, const struct type *a, const struct type *b);
/*
 * What an open type is if nothing says otherwise: int for a number and for keys and members of [],
 * float for an updateable_float.
 */
const struct type *type_settle(struct types *types, const struct type *type);
/* Appends the type as it is written: float, int[string][], bag<int>. */
void type_name(struct str *s, const struct type *type);
/* The same as a string that lives as long as the types. */
const char *type_text(const struct types *types, const struct type *type);

#endif
