/*
 * faults.h - what tests/faults/run and the shim in the tested program share: a file that both map.
 *
 * The harness writes into it which call is to fail; the shim counts calls, and says which one it
 * has made fail.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#define FAULTS_VARIABLE                                                                            \
    "WICK_FAULTS" /* names the file; the shim removes it from the environment                      \
                   */

/* Which of Wick's processes calls. */
enum faults_process {
    FAULTS_DRIVER, /* the one that was started */
    FAULTS_HELPER, /* forked by it */
    FAULTS_CHILD,  /* between vfork and exec */
    FAULTS_PROCESSES
};

/* Calls that fail alike have one name, and are counted together. */
enum faults_call {
    FAULTS_MALLOC,
    FAULTS_OPEN,
    FAULTS_WRITE, /* to files */
    FAULTS_PUT,   /* to pipes and sockets */
    FAULTS_FLUSH,
    FAULTS_FSYNC,
    FAULTS_RENAME,
    FAULTS_READ, /* the same */
    FAULTS_GET,
    FAULTS_MMAP,
    FAULTS_PIPE,
    FAULTS_SOCKET,
    FAULTS_BIND,
    FAULTS_ACCEPT,
    FAULTS_CONNECT,
    FAULTS_FORK,
    FAULTS_THREAD,
    FAULTS_EPOLL,
    FAULTS_WATCH,
    FAULTS_SEND,
    FAULTS_RECEIVE,
    FAULTS_EVENT,
    FAULTS_TRUNCATE,
    FAULTS_CLOSE,
    FAULTS_STAT,
    FAULTS_MKDIR,
    FAULTS_UNLINK,
    FAULTS_LOCK,
    FAULTS_DUPLICATE,
    FAULTS_POLL,
    FAULTS_WAIT,
    FAULTS_CHMOD,
    FAULTS_FOLDER,
    FAULTS_RANDOM,
    FAULTS_CALLS
};

enum { FAULTS_SHORT = -1, FAULTS_DEPTH = 12 };

struct faults {
    int process, call;
    uint64_t number; /* of the call that fails, from 1; 0: none fails */
    bool onwards;    /* so do all later ones */
    int error;       /* errno, or FAULTS_SHORT: the call does half of its work */

    uint64_t counts[FAULTS_PROCESSES][FAULTS_CALLS];
    uint64_t failed;               /* how many have failed */
    uint64_t places[FAULTS_DEPTH]; /* return addresses of the first, relative to the program */
};

#endif
