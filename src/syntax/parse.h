/* parse.h - tokens become a tree (private to this room). */
#ifndef SYNTAX_PARSE_H
#define SYNTAX_PARSE_H

#include "syntax/lex.h"
#include "syntax/options.h"
#include "syntax/tree.h"

/*
 * Parses the tokens of one text. After a mistake it goes on at the next statement or definition, so
 * that several are found; a mistake that follows from another is not reported. What has a mistake
 * may be missing in the tree. The module lives in `arena`.
 */
struct module *parse(const struct sources *sources, const struct tokens *tokens,
                     struct arena *arena, struct syntax_report *report);

/*
 * Appends the tree as text, for tests: one line per item or statement, what is inside of a block
 * indented, every operator in brackets.
 */
void tree_show(struct str *out, const struct module *module);

/* How an operator is written. */
const char *operation_sign(enum operation operation);

#endif
