/* pattern.h - regular expressions of the user (private to this room). */
#ifndef LEAF_PATTERN_H
#define LEAF_PATTERN_H

#include "leaf/leaf.h"

#include <regex.h>

/*
 * Compiles an extended regular expression of POSIX, in which \d and \D may be used as well; free it
 * with regfree(). ERR_USER if it is wrong, or so large that the C library could need all memory or
 * endless time for it. `name` is the function that messages speak of.
 */
int leaf_pattern_open(regex_t *regex, const char *name, struct slice pattern, struct arena *arena,
                      struct err *e);
/* True if it matches some part of a text; a zero byte ends the text. */
bool leaf_pattern_matches(const regex_t *regex, struct slice text);
/* Where the first match in a text starts; the length if there is none. */
size_t leaf_pattern_find(const regex_t *regex, struct slice text);

#endif
