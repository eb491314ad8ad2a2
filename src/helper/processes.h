/* processes.h - what /proc tells of processes (private to this room). */
#ifndef HELPER_PROCESSES_H
#define HELPER_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
    pid_t parent, session;
    uint64_t resident; /* bytes */
};

/* In another process namespace /proc may show somebody else's processes under our numbers. */
bool processes_are_ours(void);

/* False when there is no such process any more. */
bool processes_read(pid_t pid, struct process *process);
/* For every process of the machine. */
void processes_visit(void (*visit)(void *self, pid_t pid, const struct process *process),
                     void *self);
/* The trial that a process belongs to by its environment, 0 when that does not say. */
uint64_t processes_trial(pid_t pid);
/*
 * Bytes that a program has read and written, and what it waited for: told as long as it is a
 * zombie. Not the counts of the disk: what is in the kernel's memory already was read, too.
 */
void processes_count_bytes(pid_t pid, uint64_t *read, uint64_t *written);

#endif
