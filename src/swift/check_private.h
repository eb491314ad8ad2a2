/*
 * check_private.h - what the files of the checker share.
 *
 *   check.c             the order in which everything is checked
 *   check_name.c        declaring and finding names
 *   check_type.c        types that the script defines, and types as they are written
 *   check_function.c    definitions of functions
 *   check_annotation.c  annotations and pragmas
 *   check_statement.c   statements
 *   check_loop.c        foreach, for, iterate
 *   check_expression.c  expressions
 *   check_call.c        calls: which function, with which arguments
 *
 * An expression is checked in two steps. check_infer() finds its type, which may be open: 1 + 2 can
 * be an int or a float, [] an array of anything. check_settle() then says what it is, once it is
 * known what is wanted.
 */
#ifndef SWIFT_CHECK_PRIVATE_H
#define SWIFT_CHECK_PRIVATE_H

#include "swift/check.h"

enum { CHECK_GENERICS = 16 }; /* type variables of a function */

struct type_definition; /* check_type.c */

struct check {
    struct checked *checked;
    struct types *types;
    const struct sources *sources;
    struct arena *arena;
    struct syntax_report *report;
    struct scope *outermost; /* functions, types and constants */
    struct scope *top;       /* variables of the top level */
    struct scope *targets;   /* work types and executors, which @dispatch may name */
    /* where it is */
    struct scope *scope;
    struct scope *base; /* the outermost scope of this function, or of the top level */
    struct script_function *function; /* NULL: the top level */
    const struct block *block;        /* NULL: the top level */
    const struct module *module;      /* NULL: before any */
    bool chained;                     /* in a chain, but not in a block of it */
    const struct type **generics;     /* type variables of a signature that is read */
    size_t generic_count;
    /* types of the script */
    struct type_definition *definitions;
    size_t definition_count;
    struct map definition_of; /* number among the definitions, by name */
    unsigned type_nesting;    /* definitions that are being read because others name them */
    const struct type *location, *strictness; /* predefined ones */
    /* names that the library's modules define, read when the first name is unknown */
    struct sources *library;
    struct map module_of; /* number of a module, by name */
};

/* ---- check.c ---- */

/* Reports a mistake; returns the type of what has one. */
const struct type *check_wrong(struct check *c, uint32_t at, const char *format, ...)
    ERR_FORMAT(3, 4);
/* Reports a warning. */
void check_warn(struct check *c, uint32_t at, const char *format, ...) ERR_FORMAT(3, 4);
/* A name of the user's, or a type, as a string for a message. */
const char *check_text(struct check *c, struct slice name);
const char *check_type_text(struct check *c, const struct type *type);
/* " (declared at FILE:LINE)" with this word, " at FILE:LINE" without; "" for position 0. */
const char *check_place(struct check *c, const char *word, uint32_t at);
/* A simple type. */
const struct type *check_simple(const struct check *c, enum type_kind kind);

/* ---- check_name.c ---- */

/* Declares a variable in the current scope. */
struct variable *check_declare(struct check *c, uint32_t at, struct slice name,
                               enum variable_kind kind, const struct type *type);
/* The same, although the name may mean something already. */
struct variable *check_add_variable(struct check *c, uint32_t at, struct slice name,
                                    enum variable_kind kind, const struct type *type);
/* The variable of this name that is visible here; NULL: none. */
struct variable *check_variable(const struct check *c, struct slice name);
/* Reports a name that no variable has here. Further uses of it are not reported. */
void check_unknown_variable(struct check *c, uint32_t at, struct slice name);
/* The same for a function and a type. */
void check_unknown_function(struct check *c, uint32_t at, struct slice name);
void check_unknown_type(struct check *c, uint32_t at, struct slice name);
/* Reports that a name already is something else in the outermost scope; true if it is. */
bool check_taken(struct check *c, uint32_t at, struct slice name);
/* Frees what is known of the library's modules. */
void check_names_free(struct check *c);

/* ---- check_type.c ---- */

/* Registers all types of the script, then reads their definitions. */
void check_types(struct check *c);
/* A type as it is written. */
const struct type *check_type(struct check *c, const struct tree_type *written);
/* A type of variables: the type, and the brackets behind a name. */
const struct type *check_declared_type(struct check *c, const struct type *type,
                                       const struct tree_dimension *dimensions, size_t count);
/* An array or bag, unless types nest too deeply. */
const struct type *check_array(struct check *c, uint32_t at, const struct type *key,
                               const struct type *member);
const struct type *check_bag(struct check *c, uint32_t at, const struct type *member);
/* True if values of this type can be keys of an array. */
bool check_is_key(const struct type *type);
/* Reports that they cannot. */
const struct type *check_wrong_key(struct check *c, uint32_t at, const struct type *type);

/* ---- check_function.c ---- */

/* Reads the signature of a function, and makes it known. */
void check_signature(struct check *c, struct script_function *function, bool builtin);
/* Checks what a function does. */
void check_function(struct check *c, struct script_function *function);
/* Checks a global constant, and makes it known. */
void check_constant(struct check *c, const struct item *item);
/* Appends a function with its inputs for a message: f(int a, float b). */
void check_add_signature(struct str *s, const struct script_function *function);

/* ---- check_annotation.c ---- */

/* Checks the annotations of a definition, a loop and a call. */
void check_function_annotations(struct check *c, struct script_function *function);
void check_loop_annotations(struct check *c, const struct statement *s);
void check_call_annotations(struct check *c, const struct expression *e);
/* A pragma. */
void check_pragma(struct check *c, const struct item *item);

/* ---- check_statement.c, check_loop.c ---- */

/* A statement in the current scope. */
void check_statement(struct check *c, struct statement *s);
/* The statements of a block, in a scope of their own inside of this one. */
void check_block(struct check *c, const struct block *block);
/* The same in a scope that the caller has made, and remains in. */
void check_statements(struct check *c, const struct block *block);
/* Loops. */
void check_foreach(struct check *c, struct statement *s);
void check_for(struct check *c, struct statement *s);
void check_iterate(struct check *c, struct statement *s);
/* A condition of `what`; an int counts as one for most of them. */
void check_condition(struct check *c, struct expression *e, const char *what, bool or_int);
/* False, and a mistake, if this variable cannot be assigned here. */
bool check_assignable(struct check *c, uint32_t at, const struct variable *variable);

/* ---- check_expression.c ---- */

/* Finds the type of an expression; it may be open, or a tuple. */
const struct type *check_infer(struct check *c, struct expression *e);
/* The same for an expression that must have one value. */
const struct type *check_value(struct check *c, struct expression *e);
/* The same, settled. */
const struct type *check_settled(struct check *c, struct expression *e);
/* Settles an open expression as the type that is wanted, which it fits; NULL: as its default. */
void check_settle(struct check *c, struct expression *e, const struct type *wanted);
/* What could turn one type into another, for the end of a message: ": convert it with f()"; or "".
 */
const char *check_conversion(struct check *c, const struct type *from, const struct type *to);

/* ---- check_call.c ---- */

/* Finds the function of a call, and the type of its output. */
const struct type *check_call(struct check *c, struct expression *e);
/* Settles the arguments of a call whose output was as open as they are, and has a type now. */
void check_settle_call(struct check *c, struct expression *e);

#endif
