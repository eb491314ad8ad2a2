/*
 * wick.c - start, serve, end; who is where.
 *
 * A client leaves as soon as it hears that there is no more work, not only in wick_finalize(), so
 * that the servers can continue with the code after their wick_get(), where collective MPI calls
 * may wait for them.
 */
#include "library/handle.h"

enum { MESSAGE_LEFT = 128 }; /* from the first server to client 0; the types of balance are lower */

/* MPI starts and ends once per process, so there is one handle. */
static struct wick the_wick;

/* ---- servers ---- */

static void server_finished(void *self, size_t left)
{
    struct wick *w = self;
    uint64_t count = left;
    if (comm_rank(w->comm) == 0)
        comm_send(w->comm, balance_worker_rank(&w->rules, comm_size(w->comm), 1), MESSAGE_LEFT,
                  &count, sizeof count);
    w->awake = true;
}

static void server_start(void *self, struct comm *comm)
{
    struct wick *w = self;
    struct balance_owner owner = {.self = w, .finished = server_finished};
    w->server = balance_create(comm, &w->rules, &owner);
    if (comm_rank(comm) == 0)
        balance_finish(w->server); /* all tasks come from clients, which it waits for */
}

static void server_message(void *self, const struct comm_message *message)
{
    balance_message(((struct wick *)self)->server, message);
}

static void serve(struct wick *w)
{
    comm_mpi_begin(w->comm, &(struct comm_actor){w, server_start, server_message});
    comm_mpi_wait(w->comm, &w->awake);
    w->phase = PHASE_ENDED;
}

/* ---- clients ---- */

/* Nothing is cancelled and no rank is given up for dead, so these are never called. */
static void client_interrupt(void *self)
{
    (void)self;
}

static void client_dropped(void *self, uint64_t id, struct str *result)
{
    (void)self;
    (void)id;
    (void)result;
}

static void client_finish(void *self)
{
    struct wick *w = self;
    balance_leave(w->client);
    w->phase = PHASE_ENDED;
    w->awake = true;
}

static void client_start(void *self, struct comm *comm)
{
    struct wick *w = self;
    struct balance_worker worker = {
        .self = w,
        .types = w->types,
        .waits = true,
        .task = tasks_task,
        .interrupt = client_interrupt,
        .dropped = client_dropped,
        .ended = results_ended,
        .finish = client_finish,
    };
    w->client = balance_join(comm, &w->rules, &worker);
    w->phase = PHASE_AT_WORK;
}

static void client_message(void *self, const struct comm_message *message)
{
    struct wick *w = self;
    if (message->type != MESSAGE_LEFT) {
        balance_client_message(w->client, message);
        return;
    }
    memcpy(&w->left, message->bytes, sizeof w->left);
    w->left_known = true;
}

int handle_enter(struct wick *w)
{
    switch (w->phase) {
    case PHASE_NONE:
        return err_set(&w->error, WICK_MISUSE, "call wick_init() before anything else");
    case PHASE_FAILED: return w->error.code;
    case PHASE_CLOSED:
        return err_set(&w->error, WICK_MISUSE,
                       "wick_finalize() has been called: no call may follow");
    case PHASE_OPEN:
        if (w->rank < 0)
            serve(w);
        else
            comm_mpi_begin(w->comm, &(struct comm_actor){w, client_start, client_message});
        break;
    default: break;
    }
    return w->phase == PHASE_ENDED ? WICK_DONE : 0;
}

/* ---- start ---- */

static int check_launch(struct comm_launch launch, struct err *e)
{
    if (launch.start == COMM_ALONE)
        return err_set(e, WICK_MISUSE,
                       "this is a single process: start the program with mpiexec or srun as at "
                       "least 2 processes, one of which serves the others");
    if (launch.start == COMM_COPIES)
        return err_set(e, WICK_MISUSE,
                       "srun started %d processes without MPI, so they cannot reach each other: "
                       "use srun --mpi=pmix, --mpi=pmi2 or mpiexec",
                       launch.size);
    return 0;
}

static int open_comm(struct wick *w)
{
    struct comm_launch launch = comm_launched();
    if (check_launch(launch, &w->error) != 0 || comm_mpi_open(&w->comm, &w->error) != 0)
        return w->error.code;
    return 0;
}

int wick_init(struct wick **handle, const struct wick_options *options)
{
    struct wick *w = *handle = &the_wick;
    if (w->phase != PHASE_NONE)
        return err_set(&w->error, WICK_MISUSE,
                       "wick_init() has been called already; it can be called once per process");
    if (options && options->servers < 0)
        err_set(&w->error, WICK_MISUSE, "the number of servers cannot be %d; 0 is the default",
                options->servers);
    if (w->error.code != 0 || open_comm(w) != 0) {
        w->phase = PHASE_FAILED;
        return w->error.code;
    }
    /* A client that computes holds back no other task, and may be silent as long as it likes. */
    w->rules = (struct balance_rules){.servers = options ? options->servers : 0,
                                      .memory = options ? options->memory : 0,
                                      .batch = 1};
    int rank = comm_rank(w->comm), size = comm_size(w->comm);
    bool serves = balance_serves(&w->rules, size, rank);
    w->rank = serves ? -1 : balance_worker_number(&w->rules, size, rank) - 1;
    w->size = balance_workers(&w->rules, size);
    w->types = UINT64_MAX;
    w->phase = PHASE_OPEN;
    return 0;
}

/* ---- end ---- */

/* Leaves if there is still work; client 0 waits for the number of tasks left. */
static void client_end(struct wick *w)
{
    if (w->phase == PHASE_AT_WORK) {
        tasks_answer(w, NULL, 0);
        balance_flush(w->client);
        balance_leave(w->client);
    }
    if (w->rank == 0)
        comm_mpi_wait(w->comm, &w->left_known);
}

static void free_all(struct wick *w)
{
    if (w->server)
        balance_free(w->server);
    if (w->client)
        balance_client_free(w->client);
    promises_free(&w->promises);
    free(w->task_bytes);
    free(w->result_bytes);
    free(w->value_bytes);
    free(w->items);
    arena_free(&w->keys);
}

int wick_finalize(struct wick *w)
{
    int code = handle_enter(w);
    if (code < 0)
        return code;
    if (w->rank >= 0)
        client_end(w);
    comm_mpi_close(w->comm);
    free_all(w);
    w->phase = PHASE_CLOSED;
    unsigned long long left = w->left + w->refused;
    if (left == 0)
        return 0;
    return err_set(&w->error, WICK_LEFT,
                   "no client could take %llu task%s: none takes the type, the client it is bound "
                   "to has left, or it needs more clients than there are",
                   left, left == 1 ? "" : "s");
}

const char *wick_error(const struct wick *w)
{
    return w->error.message;
}

/* ---- where we are ---- */

static bool is_open(const struct wick *w)
{
    return w->phase >= PHASE_OPEN && w->phase < PHASE_CLOSED;
}

int wick_rank(const struct wick *w)
{
    return is_open(w) ? w->rank : -1;
}

int wick_size(const struct wick *w)
{
    return w->size;
}

int wick_nodes(const struct wick *w)
{
    return is_open(w) ? comm_nodes(w->comm) : 0;
}

int wick_node(const struct wick *w, int client)
{
    if (!is_open(w) || client < 0 || client >= w->size)
        return -1;
    return comm_node(w->comm, balance_worker_rank(&w->rules, comm_size(w->comm), client + 1));
}

const char *wick_node_name(const struct wick *w, int node)
{
    return node >= 0 && node < wick_nodes(w) ? comm_node_name(w->comm, node) : NULL;
}

int wick_take_types(struct wick *w, uint64_t types)
{
    if (w->phase != PHASE_OPEN)
        return err_set(&w->error, WICK_MISUSE,
                       "call wick_take_types() after wick_init() and before any other function");
    w->types = types;
    return 0;
}
