/* display.h - show the progress of a run (private to cli). */
#ifndef CLI_DISPLAY_H
#define CLI_DISPLAY_H

#include "cli/cli.h"
#include "failures/failures.h"
#include "run/run.h"

enum display {
    DISPLAY_LIVE,  /* a live line on a terminal */
    DISPLAY_PLAIN, /* a line from time to time */
    DISPLAY_JSON,  /* a JSON object for each event, on stdout */
    DISPLAY_QUIET,
};

enum { DISPLAY_FAILURES = 5 }; /* kinds of failures that are shown */
enum { DISPLAY_QUICK = 10 };   /* quick suggestions that are worth a note */

/* What the display keeps; display.c fills an observer with it. */
struct display_state {
    enum display display;
    const struct study *study;
    const char *dir;
    int requests;     /* signalfd, -1: none */
    bool line_open;   /* the live line is on the screen */
    double plain_due; /* elapsed seconds at which the next plain line is due */
    bool terminated;  /* SIGTERM or SIGHUP ended it */
    bool started;     /* the run has started, and its events are shown */
    bool warned;      /* Ctrl-C was answered once */
    bool checked;     /* the first trial was checked for what a stopper or pbt needs */
    bool noted_quick; /* the user knows that most suggestions are quick */
    bool noted_hold;  /* the user knows that no trial is started because of failures */
    struct failures failures;
    uint64_t other_failures; /* of kinds beyond FAILURES_KINDS */
    struct standing_durations durations;
    double last_end;          /* elapsed seconds when a trial ended last, or none was running */
    double stuck_due;         /* seconds without an end at which the next note is due */
    struct run_progress seen; /* the latest progress */
};

/* Fills an observer that shows the run; the state must outlive it. */
void display_observer(struct display_state *state, struct run_observer *observer);
/* Appends " (3 stopped, 1 failed)", if there are any. */
void display_add_ends(struct str *text, const struct run_progress *progress);
/* Removes the live line at the end of a run and sums up failures; JSON gets its last line. */
void display_end(struct display_state *state, const struct run_progress *progress);

#endif
