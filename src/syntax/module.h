/*
 * module.h - the script and all modules that it imports (private to this room).
 *
 * A module is loaded once, however often it is imported. `builtins` always is, as the first; any
 * other comes behind what it imports itself, as far as there is no circle. The standard library is
 * part of the program; other modules are files in the folders of -I, then in the current folder.
 * Only the script is preprocessed.
 */
#ifndef SYNTAX_MODULE_H
#define SYNTAX_MODULE_H

#include "syntax/options.h"
#include "syntax/parse.h"

/*
 * Lexes and parses the script and what it imports. ERR_USER if there are mistakes, ERR_SYSTEM if a
 * file cannot be read. Free script->modules; the modules themselves are in the arena.
 */
int module_load(struct script *script, struct sources *sources, const char *name, struct slice text,
                const struct syntax_options *options, struct arena *arena,
                struct syntax_report *report);

/* The text of a module of the standard library; NULL if there is none of this name. */
const char *module_library(struct slice name);

#endif
