/* processes.h - what /proc says about processes (private to this room). */
#ifndef HELPER_PROCESSES_H
#define HELPER_PROCESSES_H

#include "base/base.h"

#include <sys/types.h>

struct process {
    pid_t parent, session;
    uint64_t started;  /* clock ticks since the machine started */
    uint64_t resident; /* bytes */
};

/* False in another process namespace, where /proc may show other processes under our numbers. */
bool processes_are_ours(void);

/* Reads a process; false when it no longer exists. */
bool processes_read(pid_t pid, struct process *process);
/* Calls visit() for every process of the machine. */
void processes_visit(void (*visit)(void *self, pid_t pid, const struct process *process),
                     void *self);
/*
 * Appends the environment that a process was started with, as strings ended by zeros; false when it
 * may not be read.
 */
bool processes_environment(pid_t pid, struct str *text);
/* The value of a variable in such strings; NULL when it is not there. */
const char *processes_variable(const struct str *text, const char *name);
/* The trial that a process belongs to by its environment; 0 when that does not say. */
uint64_t processes_trial(pid_t pid);
/*
 * Bytes that a program, and the children that it waited for, have read and written. Works as long
 * as it is a zombie. These are not the counts of the disk: reading from the page cache counts, too.
 */
void processes_count_bytes(pid_t pid, uint64_t *read, uint64_t *written);

#endif
