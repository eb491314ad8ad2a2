/*
 * tasks.c - put, get, answer, communicators.
 *
 * The id of a task, as balance carries it, holds two things: the client that put it, and the number
 * of the promise for its answer, 0 if no answer is wanted.
 */
#include "library/handle.h"

enum { NUMBER_BITS = 40 };    /* bits of an id for the number; the client is above */
enum { TAG_LIMIT = 1 << 15 }; /* MPI guarantees tags below this */

static const uint64_t NUMBER_MASK = ((uint64_t)1 << NUMBER_BITS) - 1;

uint64_t tasks_number(uint64_t id)
{
    return id & NUMBER_MASK;
}

static int tasks_from(uint64_t id)
{
    return (int)(id >> NUMBER_BITS);
}

/* ---- put ---- */

static int check_bytes(struct wick *w, const char *what, const void *bytes, size_t length)
{
    if (length > WICK_BYTES_LIMIT)
        return err_set(&w->error, WICK_MISUSE,
                       "%s can have at most %d bytes, but this one has %zu; put large data in the "
                       "key-value space",
                       what, WICK_BYTES_LIMIT, length);
    if (!bytes && length > 0)
        return err_set(&w->error, WICK_MISUSE, "%s of %zu bytes has no bytes: the pointer is NULL",
                       what, length);
    return 0;
}

static unsigned clients_on(const struct wick *w, int node)
{
    unsigned count = 0;
    for (int client = 0; client < w->size; client++)
        count += wick_node(w, client) == node;
    return count;
}

/* A task that is bound to a node must find enough clients there. */
static int check_node(struct wick *w, const struct wick_task *task)
{
    int nodes = wick_nodes(w), node = task->target;
    if (node < 0 || node >= nodes)
        return err_set(&w->error, WICK_MISUSE, "there is no node %d: nodes are 0 to %d", node,
                       nodes - 1);
    unsigned need = task->clients ? task->clients : 1, there = clients_on(w, node);
    if (!task->prefer && need > there)
        return err_set(&w->error, WICK_MISUSE,
                       "the task is bound to node %d and needs %u clients, but only %u are there",
                       node, need, there);
    return 0;
}

static int check_client(struct wick *w, const struct wick_task *task)
{
    if (task->target < 0 || task->target >= w->size)
        return err_set(&w->error, WICK_MISUSE, "there is no client %d: clients are 0 to %d",
                       task->target, w->size - 1);
    if (task->clients > 1)
        return err_set(
            &w->error, WICK_MISUSE,
            "a task for %u clients cannot be bound to client %d; bind it to a node instead",
            task->clients, task->target);
    return 0;
}

static int check_target(struct wick *w, const struct wick_task *task)
{
    switch (task->where) {
    case WICK_ANYWHERE: return 0;
    case WICK_CLIENT: return check_client(w, task);
    case WICK_NODE: return check_node(w, task);
    }
    return err_set(&w->error, WICK_MISUSE,
                   "a task's `where` is WICK_ANYWHERE, WICK_CLIENT or WICK_NODE, not %d",
                   (int)task->where);
}

static int check_task(struct wick *w, const struct wick_task *task)
{
    if (task->type < 0 || task->type >= WICK_TYPES)
        return err_set(&w->error, WICK_MISUSE, "a task's type is 0 to %d, not %d", WICK_TYPES - 1,
                       task->type);
    if (task->priority < -WICK_PRIORITY_LIMIT || task->priority >= WICK_PRIORITY_LIMIT)
        return err_set(&w->error, WICK_MISUSE, "a task's priority is %d to %d, not %d",
                       -WICK_PRIORITY_LIMIT, WICK_PRIORITY_LIMIT - 1, task->priority);
    if (task->clients > (unsigned)w->size)
        return err_set(&w->error, WICK_MISUSE, "a task needs %u clients, but there are only %d",
                       task->clients, w->size);
    if (check_target(w, task) != 0)
        return w->error.code;
    return check_bytes(w, "a task", task->bytes, task->length);
}

int wick_put(struct wick *w, const struct wick_task *task, uint64_t *id)
{
    static const enum balance_where where[] = {BALANCE_ANYWHERE, BALANCE_WORKER, BALANCE_NODE};
    int code = handle_enter(w);
    if (code == WICK_DONE)
        err_set(&w->error, code, "all work is done, so no task can be put");
    if (code != 0 || (code = check_task(w, task)) != 0)
        return code;
    uint64_t number = task->answer ? promises_add(&w->promises) : 0;
    struct balance_task put = {
        .id = (uint64_t)w->rank << NUMBER_BITS | number,
        .bytes = task->bytes,
        .length = task->length,
        .type = task->type,
        .priority = task->priority,
        .where = where[task->where],
        .prefer = task->prefer != 0,
        .target = task->where == WICK_CLIENT ? task->target + 1 : task->target,
        .workers = task->clients,
    };
    /* A task for several may be refused: without an answer, wick_finalize() reports that. */
    balance_client_put(w->client, &put, task->answer || task->clients > 1);
    if (id)
        *id = number;
    return 0;
}

/* ---- get and answer ---- */

void tasks_task(void *self, const struct balance_assignment *task)
{
    struct wick *w = self;
    w->task_bytes = memory_grow(w->task_bytes, &w->task_capacity, task->length, 1);
    if (task->length > 0)
        memcpy(w->task_bytes, task->bytes, task->length);
    w->task = *task;
    w->has_task = w->awake = true;
}

void tasks_answer(struct wick *w, const void *bytes, size_t length)
{
    if (!w->has_task)
        return;
    if (w->has_communicator)
        comm_mpi_ungroup(w->comm, &w->communicator);
    w->has_task = w->has_communicator = false;
    w->own_done += tasks_from(w->task.id) == w->rank && tasks_number(w->task.id) != 0;
    balance_done(w->client, bytes, length);
}

int wick_get(struct wick *w, struct wick_assignment *task)
{
    int code = handle_enter(w);
    if (code != 0)
        return code;
    tasks_answer(w, NULL, 0);
    w->awake = false;
    balance_ready(w->client);
    comm_mpi_wait(w->comm, &w->awake);
    if (w->phase == PHASE_ENDED)
        return WICK_DONE;
    *task = (struct wick_assignment){
        .bytes = w->task_bytes,
        .length = w->task.length,
        .type = w->task.type,
        .from = tasks_from(w->task.id),
        .clients = w->task.workers,
        .index = w->task.index,
    };
    return 0;
}

/* Checks that there is a current task: 0 if so. */
static int check_current(struct wick *w, const char *function)
{
    int code = handle_enter(w);
    if (code != 0 || w->has_task)
        return code;
    return err_set(&w->error, WICK_MISUSE,
                   "%s applies to the task from wick_get(): there is none, or it has been answered",
                   function);
}

int wick_answer(struct wick *w, const void *bytes, size_t length)
{
    int code = check_current(w, "wick_answer()");
    if (code != 0 || (code = check_bytes(w, "an answer", bytes, length)) != 0)
        return code;
    tasks_answer(w, bytes, length);
    return 0;
}

int wick_flush(struct wick *w)
{
    int code = handle_enter(w);
    if (code == 0)
        balance_flush(w->client);
    return code;
}

/* ---- communicators ---- */

/*
 * A member does one task at a time, so no two groups that share a member are made at once, and tags
 * need not tell them apart. The tag of a task only helps when looking at MPI with a debugger.
 */
static int make_communicator(struct wick *w)
{
    int own = comm_rank(w->comm), tag = (int)(w->task.id % TAG_LIMIT);
    const int *ranks = w->task.ranks ? w->task.ranks : &own;
    balance_flush(w->client);
    w->communicator = NULL;
    if (comm_mpi_group(w->comm, ranks, (int)w->task.workers, tag, &w->communicator, &w->error) != 0)
        return w->error.code;
    w->has_communicator = true;
    return 0;
}

int wick_communicator(struct wick *w, void *communicator, size_t size)
{
    int code = check_current(w, "wick_communicator()");
    if (code != 0)
        return code;
    if (size != sizeof(int) && size != sizeof(void *))
        return err_set(&w->error, WICK_MISUSE,
                       "wick_communicator() takes the address and the size of an MPI_Comm, whose "
                       "size is not %zu bytes",
                       size);
    if (!w->has_communicator && (code = make_communicator(w)) != 0)
        return code;
    memcpy(communicator, &w->communicator, size);
    return 0;
}
