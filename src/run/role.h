/*
 * role.h - what the ranks other than 0 do (private to this room).
 *
 * In one process, on threads or simulated, a rank's role is known before it starts. In an MPI job
 * the other ranks know nothing: rank 0 reads the study and sends it to them, and they become
 * servers or workers. Messages that reach a rank before that wait.
 */
#ifndef RUN_ROLE_H
#define RUN_ROLE_H

#include "balance/balance.h"
#include "comm/comm.h"
#include "study/study.h"
#include "worker/worker.h"

/* Messages of this room; those of balance have lower numbers. */
enum {
    ROLE_STUDY = 120, /* from rank 0: this is the study */
    ROLE_DISMISS,     /* from rank 0: there is nothing (more) to do, end */
    ROLE_FAILED,      /* to rank 0: a struct err, why this rank cannot work */
};

/* A server other than the first. Start with {0}. */
struct role_server {
    struct balance_rules rules;
    struct comm *comm;
    struct balance_server *server;
    bool orphaned; /* the first server was lost */
};

/* The actor of such a server; its rules are set already. */
struct comm_actor role_server_actor(struct role_server *role);
/* Frees what it holds. */
void role_server_free(struct role_server *role);

/*
 * Which workers rest, by rank, because their node has more than `per_node` (0: no limit): a
 * launcher may start more ranks than were wanted. *count is their number. free() it.
 */
bool *role_resting(const struct comm *comm, const struct balance_rules *rules, unsigned per_node,
                   unsigned *count);

/* Sends the study to all other ranks of an MPI job. */
void role_tell(struct comm *comm, const struct study *study, const char *dir,
               const struct balance_rules *rules, unsigned per_node);

#endif
