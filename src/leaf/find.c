/*
 * find.c - the function of a name.
 *
 * The runtime looks up each function of a script once, when it loads it. Comparing the first byte
 * before the rest makes a walk through all names as fast as any table that would have to be kept
 * sorted.
 */
#include "leaf/modules.h"

static const struct leaf_function *const tables[] = {
    leaf_operators, leaf_builtins,   leaf_containers, leaf_string, leaf_math,
    leaf_stats,     leaf_reductions, leaf_random,     leaf_assert, leaf_files,
    leaf_blob,      leaf_matrix,     leaf_json,       leaf_sys,    leaf_location,
};

const struct leaf_function *leaf_find(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct leaf_function *function = tables[i]; function->name; function++)
            if (function->name[0] == name[0] && strcmp(function->name, name) == 0)
                return function;
    return NULL;
}
