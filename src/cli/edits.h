/*
 * edits.h - a study that has started takes over what its user has changed since: in the study file,
 * or by options of the command that continues it (private to cli).
 *
 * src/study/changes.c has the table of keys that may change. Any other edit is refused with exit
 * code 2, since the finished trials would mean something else, and then nothing at all is taken
 * over. In a job nobody is there to decide: such an edit, or a mistake in the file, becomes a note,
 * and the study continues as it was recorded.
 */
#ifndef CLI_EDITS_H
#define CLI_EDITS_H

#include "cli/cli.h"
#include "journal/journal.h"

/* What has changed. Start with {0}; edits_free() it. */
struct edits {
    struct study_changes changes[2]; /* those of the file, then those by options */
    size_t count;
    bool in_job;  /* nobody is there to decide */
    bool ignored; /* the file has edits that were noted and not taken over */
};

/* Options by which a study changes when it is continued. */
extern const struct cli_option edits_options[];
/* --ignore-edits */
extern const struct cli_option edits_ignore_options[];

/*
 * Finds the changes and makes them in the loaded journal; run_study() or run_change() records them.
 * Returns 0, or the exit code after printing what is wrong.
 */
int edits_take(struct edits *edits, struct cli_arguments *arguments, struct journal *journal);
/* Records the changes of a study that is not about to run, and prints them unless `quiet`. */
int edits_record(const struct edits *edits, const struct journal *journal, bool quiet,
                 struct err *e);
/* Prints a note for each key that was taken over. */
void edits_print(const struct edits *edits, const struct journal *journal);
/* Frees the changes. */
void edits_free(struct edits *edits);

#endif
