/*
 * post.h - what the ranks other than 0 do (private to this room).
 *
 * In one process, on threads or simulated, a rank's post is known before it starts. In an MPI job
 * the other ranks know nothing: rank 0 reads the study and tells them, and they become a server or
 * a worker. What reaches a rank before that waits.
 */
#ifndef RUN_POST_H
#define RUN_POST_H

#include "balance/balance.h"
#include "comm/comm.h"
#include "study/study.h"
#include "worker/worker.h"

/* Messages of this room; those of balance have lower numbers. */
enum {
    POST_STUDY = 120, /* from rank 0: this is the study */
    POST_DISMISS,     /* from rank 0: there is nothing (more) to do, go */
    POST_FAILED,      /* to rank 0: a struct err, why this rank cannot work */
};

/* A server other than the first. Start with {0}. */
struct post_server {
    struct balance_rules rules;
    struct comm *comm;
    struct balance_server *server;
    bool orphaned; /* the first server was lost */
};

struct comm_actor post_server_actor(struct post_server *post);
void post_server_free(struct post_server *post);

/* Tells all other ranks of an MPI job what the study is. */
void post_tell(struct comm *comm, const struct study *study, const char *dir,
               const struct balance_rules *rules);

#endif
