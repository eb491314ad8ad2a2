/*
 * family.h - from which program each process of the machine descends (private to this room).
 *
 * Each program is a "subreaper": what it has started and lost, such as a daemon that has left its
 * session and forgotten its environment, becomes its child again. So as long as a program runs, its
 * whole family can be found by going from parent to parent.
 */
#ifndef HELPER_FAMILY_H
#define HELPER_FAMILY_H

#include "helper/processes.h"

/* Start with {0}; family_free() it. */
struct family {
    struct relative {
        pid_t pid;
        struct process process;
        void *root; /* the program that it descends from; NULL: none */
        bool known; /* `root` is right */
    } * all;        /* by pid, after family_read() */
    size_t count, capacity;
};

/* Which program a process is by its number or its session; NULL: none. */
typedef void *family_finder(void *self, pid_t pid);

/* Reads all processes, and finds the root of each. */
void family_read(struct family *family, family_finder *find, void *self);
/* Frees what it holds. */
void family_free(struct family *family);

#endif
