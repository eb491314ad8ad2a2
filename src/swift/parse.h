/* parse.h - tokens become a tree (private to this room). */
#ifndef SWIFT_PARSE_H
#define SWIFT_PARSE_H

#include "swift/lex.h"
#include "swift/tree.h"

/*
 * Parses the tokens of one text. After a mistake it goes on at the next statement or definition, so
 * that several are found; a mistake that follows from another is not reported. The module lives in
 * `arena`.
 */
struct module *parse(struct sources *sources, const struct tokens *tokens, struct arena *arena,
                     struct err_list *mistakes);

/* Appends the tree as text, for tests: one line per item or statement, expressions in brackets. */
void tree_show(struct str *out, const struct module *module);

#endif
