/*
 * check.h - every expression gets its type, every name its meaning (private to this room).
 *
 * The result is the same tree with its "checked" fields filled, and a list of all functions.
 */
#ifndef SWIFT_CHECK_H
#define SWIFT_CHECK_H

#include "swift/scope.h"
#include "swift/swift.h"
#include "swift/type.h"
#include "syntax/syntax.h"

/* A checked script. Free the two lists; all that they name lives in the arena given to check(). */
struct checked {
    struct script *script;
    struct types *types;
    struct scope *outermost;
    struct script_function *
        *functions; /* every overload of every function, in the order of the texts */
    size_t function_count, function_capacity;
    struct script_function *main; /* NULL: none */
    struct variable **variables;  /* each at its index; those of the top level come first */
    size_t variable_count, variable_capacity;
};

/* Checks names and types. Mistakes and warnings go to the report. */
void check(struct checked *checked, struct script *script, const struct sources *sources,
           const struct syntax_options *options, struct arena *arena, struct syntax_report *report);

/* The annotation of this name; NULL: none. */
const struct annotation *annotation_find(const struct annotations *annotations, const char *name);

/* Checks what is assigned and read on which paths; for a script without other mistakes. */
void usage_check(const struct checked *checked, const struct sources *sources,
                 struct syntax_report *report);

#endif
