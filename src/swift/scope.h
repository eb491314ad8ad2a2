/*
 * scope.h - names, and what they mean where (private to this room).
 *
 * Variables, functions and types share one namespace. A scope is a block; it sees what its parents
 * have. Functions and types are known everywhere, variables from their declaration on.
 */
#ifndef SWIFT_SCOPE_H
#define SWIFT_SCOPE_H

#include "swift/type.h"
#include "syntax/syntax.h"

enum variable_kind {
    VARIABLE_LOCAL,
    VARIABLE_INPUT,    /* of a function */
    VARIABLE_OUTPUT,   /* of a function */
    VARIABLE_LOOP,     /* of foreach, for, iterate: cannot be assigned */
    VARIABLE_CONSTANT, /* global const */
};

struct variable {
    struct slice name;
    uint32_t at;
    enum variable_kind kind;
    const struct type *type;
    struct expression *mapping;             /* of a file; NULL: not mapped */
    const struct expression *value;         /* VARIABLE_CONSTANT */
    const struct script_function *function; /* NULL: declared at the top level */
    const struct block *block; /* where it is declared; NULL: a parameter or the top level */
    const struct scope *scope;
    size_t index; /* among all variables of the script, for tables about them */
    bool builtin; /* of a module of the standard library */
};

enum meaning_kind { MEANING_NONE, MEANING_VARIABLE, MEANING_FUNCTION, MEANING_TYPE };

/* What a name stands for. */
struct meaning {
    enum meaning_kind kind;
    struct variable *variable;
    struct script_function *function; /* the first overload */
    const struct type *type;
    uint32_t at;
};

struct scope;

/* Creates the outermost scope (parent NULL) or one inside of another, in this arena. */
struct scope *scope_create(struct arena *arena, struct scope *parent);
/* What a name means in this scope or the nearest one around it that knows it. */
struct meaning scope_find(const struct scope *scope, struct slice name);
/* The same in this scope alone. */
struct meaning scope_find_here(const struct scope *scope, struct slice name);
/* Gives a name a meaning in this scope; what it meant here before is replaced. */
void scope_add(struct scope *scope, struct slice name, struct meaning meaning);
/* The scope around this one; NULL for the outermost. */
struct scope *scope_parent(const struct scope *scope);
/* The name known here that is closest to this one, for "did you mean"; NULL if none is close. */
const char *scope_nearest(const struct scope *scope, struct slice name, enum meaning_kind kind);

#endif
