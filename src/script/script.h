/*
 * script - the script that a command runs, as far as its words and its text show.
 *
 * Nothing is run and nothing is certain: a command can start a script in many ways, and a script
 * can read its options in many more. Each function says which doubts it resolves how; in general,
 * what is not understood is no mistake.
 */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H

#include "base/base.h"

/* ---- in a command ---- */

/*
 * The index of the first word after the interpreter at `from` (python3, Rscript, bash, torchrun,
 * ...) and its options; 0 if there is none, or if its code is not in a file: python3 -m train.
 */
size_t script_after(const char *const *command, size_t from);

/* How a script was found: not at all, by its name alone, or as what an interpreter will run. */
enum script_sight { SCRIPT_NONE, SCRIPT_LIKELY, SCRIPT_SURE };

/*
 * Finds the word of a command that is its script, other than the program itself. `folder` is where
 * the command runs. Programs that start others (env, srun, timeout, ...) are looked through.
 */
enum script_sight script_find(const char *const *command, const char *folder, size_t *index);

/* What a text that a shell gets with -c does with the arguments that follow the command. */
enum script_use {
    SCRIPT_USES,     /* it uses them, or is not known, or there is no such text */
    SCRIPT_IGNORES,  /* it names none of them */
    SCRIPT_SKIPS_ONE /* it uses "$@", but the first argument becomes its $0 */
};
/* Looks at sh -c 'TEXT'; *index is the word TEXT. */
enum script_use script_shell_text(const char *const *command, size_t *index);

/* The path of a file that a command in `folder` names; lives in the arena. */
const char *script_path(struct arena *arena, const char *folder, const char *name);

/* The name of a file in the folder of `path` that is close to its last part, or NULL. */
const char *script_nearest(struct arena *arena, const char *path);

/* ---- its text ---- */

/* The text of a script, and the options in it. Owns both. */
struct script {
    struct arena arena;
    struct str text;
    const char **options; /* "lr" for each "--lr" in quotes, ended by NULL */
    bool is_closed;       /* these are all: no others can be added while it runs */
};

/* Reads a script; false, with nothing to free, if it is no text or too large. */
bool script_read(struct script *script, const char *path);
/* Frees the text and the options. */
void script_free(struct script *script);

/* True if the name appears as a whole word. */
bool script_mentions(const struct script *script, const char *name);

/* True if it can read the parameters other than from its arguments. */
bool script_reads_params(const struct script *script);

/*
 * The parameter `name` becomes the option --NAME. Returns true if the script takes it, or may take
 * it. If not, *meant is an option that is likely to be meant, or NULL.
 */
bool script_takes(const struct script *script, const char *name, const char **meant);

#endif
