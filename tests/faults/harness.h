/*
 * harness.h - the parts of the program that tries faults: build/faults, started by
 * tests/faults/run.
 *
 *   names.c      the names of calls, and the errors with which each is tried
 *   scenarios.c  the commands that are tried, with what they start from
 *   programs.c   running a program, and what it leaves behind
 *   case.c       one fault in one command: is it handled?
 *   run.c        which cases are tried, and the counts
 */
#ifndef FAULTS_HARNESS_H
#define FAULTS_HARNESS_H

#include "faults.h"

#include <stddef.h>
#include <sys/types.h>

/* ---- names.c ---- */

/* A way in which a call fails. Names end in '+' if all later calls fail as well. */
struct fault {
    enum faults_call call;
    const char *name; /* such as "ENOSPC+" */
    int error;
    bool onwards;
};
extern const struct fault faults_all[];
extern const size_t faults_count;

/* "write", "helper.write", "child.write" */
void fault_call_name(char *name, size_t size, enum faults_process process, enum faults_call call);

/* ---- scenarios.c ---- */

enum { SCENARIO_WORDS = 32 };

struct scenario {
    const char *name;
    const char *fixture; /* the folder that it starts from */
    const char *needs;   /* a program without which it is skipped, or NULL */
    const char *command[SCENARIO_WORDS];
    const char *input; /* what it reads, or NULL */
    const char
        *finish[SCENARIO_WORDS]; /* completes the study afterwards; none: nothing changes it */
    const char *beside;          /* a shell script that runs at the same time, or NULL */
    const char *file;            /* what it must write, or NULL */
    const char *denial;          /* what it says only if it has not made that file, or NULL */
    bool exact;                  /* its output is the same each time */
    bool varies;                 /* its suggestions depend on when results come */
    bool inside;                 /* the fault is in `wick trial`, which its trials call */
    bool terminal;               /* it writes to a terminal, standard error too */
    int code;                    /* with which it ends when nothing fails */
    const char *verdict;         /* what it prints if it ends with 1 because of what it found */
};
extern const struct scenario scenarios[];
extern const size_t scenario_count;

struct fixture {
    const char *name, *script;
};
extern const struct fixture fixtures[];
extern const size_t fixture_count;

/* ---- programs.c ---- */

struct bench {
    char folder[256];   /* of this run; everything is in it */
    char program[4096]; /* wick-faults */
    struct faults *faults;
    double limit;        /* seconds until a program hangs */
    char problem[16384]; /* of the case; "": none */
};

/* A program that ran to its end. `out` and `err` are freed by ended_free(). */
struct ended {
    int status; /* as from waitpid() */
    char *out, *err;
};
void ended_free(struct ended *ended);

/*
 * Runs a program in bench->folder/case. `faulty`: with the fault that bench->faults says, of this
 * scenario; else NULL.
 */
void program_run(struct bench *bench, const char *const *words, const char *input,
                 const struct scenario *faulty, struct ended *ended);
/* Starts a shell script beside it, and waits until it has made the file `ready`. */
pid_t program_beside(struct bench *bench, const char *script);
/* Waits for its end; `needed`: whether it would wait for ever otherwise, and is told to end. */
void program_beside_end(struct bench *bench, pid_t pid, bool needed);
/* Notes processes that are left behind, and ends them. */
void programs_left(struct bench *bench);

/* Runs a shell script, with its output in a file, or in ours if `out` is NULL; its exit status. */
int shell(const char *script, const char *out);

/* Makes a path below the folder of this run. */
const char *bench_path(const struct bench *bench, char path[512], const char *name);
void folder_copy(const char *from, const char *to);
void folder_remove(const char *path);
/* The sorted names of all files below a folder, a line each; freed by the caller. */
char *folder_list(const char *path);
/* The text of a file, freed by the caller; NULL when there is none. */
char *file_text(const char *path);

/* Adds to the problem of a case. */
void problem_add(struct bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- case.c ---- */

/* What a scenario does when nothing fails. */
struct usual {
    uint64_t counts[FAULTS_PROCESSES][FAULTS_CALLS];
    char *out, *rows, *files, *file, *journal;
};

struct fault_case {
    const struct scenario *scenario;
    const struct fault *fault;
    enum faults_process process;
    uint64_t number;
};

/* "run:helper.write:17:ENOSPC" */
void case_name(char *name, size_t size, const struct fault_case *c);
/* Runs the scenario without a fault, to know what is usual. Ends the program when that fails. */
void case_usual(struct bench *bench, const struct scenario *scenario, struct usual *usual);
/* Tries a case; bench->problem says what is wrong. True when the call was reached and failed. */
bool case_try(struct bench *bench, const struct fault_case *c, const struct usual *usual);
/* Prints where the call came from. */
void case_print_place(const struct bench *bench);

#endif
