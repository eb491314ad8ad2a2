/* worker.h - a rank that runs tasks (private to this room). */
#ifndef FLOW_WORKER_H
#define FLOW_WORKER_H

#include "flow/flow.h"
#include "flow/outside.h"
#include "flow/task.h"

/* Messages beside those of balance, of which all types are smaller. */
enum { FLOW_PRINT = 120, FLOW_PRINT_ERROR, FLOW_LOG, FLOW_FAIL, FLOW_ABORT, FLOW_CODE };

/* Types of tasks: the script itself, which waits for nothing, and all others. */
enum { FLOW_TASK, FLOW_SCRIPT };

/* Tasks that a worker gets at once: with more, more parts of loops would exist at a time. */
enum { FLOW_BATCH = 64 };

struct flow_worker {
    const struct flow_options *options;
    struct comm *comm;
    struct balance_client *client;
    struct balance_rules rules;
    struct outside *outside;
    struct helper *helper;
    const struct machine_slot *slot;
    struct outside_settings settings;
    char variables[3][64]; /* of programs: ADLB_RANK_SELF=..., ... */
    const char *variable_list[4];
    struct leaf_world world;
    struct random random;
    const struct leaf_function **leaves; /* of each code_leaf; NULL: see commands */
    uint32_t *labels;                    /* of each function: the label of its first slot, less 1 */
    char **temporary;                    /* files to be removed at the end */
    size_t temporary_count, temporary_capacity;
    struct task task;      /* the one that runs */
    struct errand *errand; /* what runs outside; NULL: nothing */
    uint64_t next_id;
    unsigned unflushed;
};

/* Makes the worker; its actor follows. */
struct flow_worker *flow_worker_create(const struct flow_options *options, struct helper *helper,
                                       const struct machine_slot *slot);
/* Frees it in any state. */
void flow_worker_free(struct flow_worker *worker);
/* The actor that comm runs. */
struct comm_actor flow_worker_actor(struct flow_worker *worker);

/* An id for a task. */
uint64_t worker_next_id(struct flow_worker *worker);
/* The target of a task that is bound to a place. */
int worker_target(struct flow_worker *worker, const struct destination *destination);
/* Sends what has been collected, now and then. */
void worker_flush_some(struct flow_worker *worker);
/* Sends text to where the script prints. */
void worker_print(void *worker, const char *text, size_t length);
/* Sends text of a program to where it complains. */
void worker_print_error(struct flow_worker *worker, const char *text, size_t length);
/* Remembers a temporary file, to be removed at the end. */
void worker_keep_temporary(struct flow_worker *worker, struct slice path);

/* Makes what runs programs and interpreters for this worker: errand.c. */
void worker_open_outside(struct flow_worker *worker);
/* Goes on with the task when what ran outside has ended. */
void worker_go_on(struct flow_worker *worker);

/* ---- labels: where in the script a datum or a task comes from ---- */

/* The label before the first slot of each function; free() it. */
uint32_t *labels_make(const struct code *code);
/* Appends "x (script.swift:12)" for the label of a datum. */
void labels_show_slot(struct str *s, const struct code *code, const uint32_t *labels,
                      uint32_t label);
/* True if the label of a datum is that of a variable. */
bool labels_has_name(const struct code *code, const uint32_t *labels, uint32_t label);
/* Appends "script.swift:12" for the label of a task. */
void labels_show_place(struct str *s, const struct code *code, uint32_t label);

#endif
