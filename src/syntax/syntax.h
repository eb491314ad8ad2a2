/*
 * syntax - from the text of a dataflow script to its tree.
 *
 *   source.c      the texts of a script, and which place in which file a position stands for
 *   preprocess.c  #include, #define, #if: one text becomes another (macro.c, condition.c, ...)
 *   lex.c         text becomes tokens
 *   parse*.c      tokens become a tree (tree.h); show.c: the tree as text, for tests
 *   module.c      imports: the modules that a script needs, each once
 *   library/      the modules of the standard library, in the language itself
 *
 * A stage never stops at its first mistake: it adds to the report and goes on as far as it makes
 * sense. The next stage runs only if there were none.
 */
#ifndef SYNTAX_SYNTAX_H
#define SYNTAX_SYNTAX_H

#include "syntax/lex.h"
#include "syntax/module.h"
#include "syntax/options.h"
#include "syntax/parse.h"
#include "syntax/preprocess.h"
#include "syntax/source.h"
#include "syntax/tree.h"

#endif
