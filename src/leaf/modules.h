/* modules.h - the functions of each module (private to this room). */
#ifndef LEAF_MODULES_H
#define LEAF_MODULES_H

#include "leaf/leaf.h"

/* Each table ends in a row without a name; the same name is in no two of them. */
extern const struct leaf_function leaf_operators[];
extern const struct leaf_function leaf_builtins[];
extern const struct leaf_function leaf_containers[];
extern const struct leaf_function leaf_string[];
extern const struct leaf_function leaf_math[];
extern const struct leaf_function leaf_stats[];
extern const struct leaf_function leaf_reductions[];
extern const struct leaf_function leaf_random[];
extern const struct leaf_function leaf_assert[];
extern const struct leaf_function leaf_files[];
extern const struct leaf_function leaf_blob[];
extern const struct leaf_function leaf_matrix[];
extern const struct leaf_function leaf_json[];
extern const struct leaf_function leaf_sys[];
extern const struct leaf_function leaf_location[];

/* Sorts members by their keys. */
void leaf_sort(struct leaf_member *items, size_t count);
/* A text in upper or lower case. */
struct leaf_value leaf_to_case(struct slice text, bool upper, struct arena *arena);
/* a == b, a < b and a <= b of the language, where NaN equals nothing. */
bool leaf_equal(const struct leaf_value *a, const struct leaf_value *b);
bool leaf_less(const struct leaf_value *a, const struct leaf_value *b);
bool leaf_at_most(const struct leaf_value *a, const struct leaf_value *b);
/* Formats the inputs of printf(): a format, then values. */
int leaf_call_format(const struct leaf_call *call, struct str *out, struct err *e);
/* Sets the first output; returns 0, so that it can end a function that cannot fail. */
int leaf_give(const struct leaf_call *call, struct leaf_value value);

#endif
