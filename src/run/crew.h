/* crew.h - the ranks of this process beside the driver, and what they share (private to this room).
 */
#ifndef RUN_CREW_H
#define RUN_CREW_H

#include "run/driver.h"
#include "run/role.h"

struct crew {
    unsigned
        count; /* of workers; in an MPI job they are in other processes, and the rest is NULL */
    int size;  /* of all ranks */
    struct machine_slot *slots;
    struct helper *helper;       /* NULL when the model is a function */
    struct container *container; /* of the trials; NULL: none */
    struct worker **workers;
    struct role_server *servers; /* by rank */
};

/*
 * Finds out how many workers there are and makes those of this process, and the helper: a process
 * that is forked before there is any thread.
 */
int crew_create(struct crew *crew, const struct study *study, const struct run_options *options,
                const char *dir, struct err *e);
/* Ends the helper, and frees everything. */
void crew_free(struct crew *crew);
/*
 * Makes the image of a containered study ready, once; other ranks of an MPI job find it there. For
 * a new study that happens before it has a journal: what is wrong with an image leaves no study
 * behind.
 */
int crew_prepare_container(struct crew *crew, const char *dir, struct err *e);
/* The steering program of the study, which has the last channel to the helper. */
struct steer *crew_create_steer(const struct crew *crew, struct driver *driver);
/* Runs driver, servers and workers as ranks until all have stopped. */
int crew_run(const struct crew *crew, struct driver *driver, struct err *e);

#endif
