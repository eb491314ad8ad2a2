/*
 * drive.h - run a study and show how it goes: what run, resume and upf share (private to cli).
 */
#ifndef CLI_DRIVE_H
#define CLI_DRIVE_H

#include "cli/cli.h"
#include "cli/display.h"
#include "run/run.h"

#include <signal.h>

/* The options of run, resume and upf that are about running. */
extern const struct cli_option drive_options[];

/* Runs the study with the display that the options ask for; returns the exit code. */
int drive(struct cli_arguments *arguments, const struct study *study, struct run_options *options);
/* Runs a new study in a folder of its own, with notes about it, and frees it: all of run and upf.
 */
int drive_new(struct cli_arguments *arguments, struct study *study);

/* ---- conclude.c: what came of a run ---- */

/* Prints how it ended and its best trial, and writes the report; returns the exit code. */
int drive_conclude(const struct cli_arguments *arguments, const struct display_state *state,
                   const struct run_progress *progress);
/* The exit code of a run that ended in order, with a message where no trial has a valid score. */
int drive_exit_code(const struct display_state *state, const struct run_progress *progress);

/*
 * What a new study takes over from others, with a note about each; NULL on an error. earlier_free()
 * it.
 */
struct earlier *drive_earlier(const struct study *study, bool quiet, struct err *e);

/* Adds the signals by which schedulers say that a job ends soon; SGE has one for each reason. */
void drive_add_notices(sigset_t *signals);
/*
 * From here on the signals with which a user ends a study, and `more`, are read from a descriptor,
 * which is returned, -1 on an error. *old is the mask to go back to.
 */
int drive_signals(sigset_t more, sigset_t *old, struct err *e);
/* Those that came late are dropped: when all is over they are no reason to lose its report. */
void drive_signals_end(int descriptor, const sigset_t *old);

/*
 * In a job: waits a while for the lock of a job that ended, which a lost node may still hold. False
 * when it is still there after that.
 */
bool drive_await(const char *dir);
/* As standing_complete(), with the points that are queued in the folder of the study. */
enum journal_end drive_complete(const struct journal *journal, const struct standing_budget *budget,
                                bool retry);
/* True when a study has nothing left to do within the budget of these options; prints so. */
bool resume_complete(const struct journal *journal, const struct run_options *options);

/* A folder for a new study: --dir, or NAME.wick, NAME-2.wick ... ; free() it. */
char *drive_folder(struct cli_arguments *arguments, const struct study *study);
/* Makes *dir the name of the study's folder of this number, from 1. */
void drive_name_folder(struct str *dir, const struct study *study, int number);

#endif
