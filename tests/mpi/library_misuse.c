/* library_misuse.c - the C library says what is wrong with a call, and continues. */
#include "library/wick.h"
#include "tap.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct wick *w;

/* The call is rejected, and this is a part of the message. */
static void refused(int code, const char *part)
{
    if (!ok(code == WICK_MISUSE && strstr(wick_error(w), part), "refused: %s", part))
        printf("# code %d, message: %s\n", code, wick_error(w));
}

/* ---- before MPI begins, in a separate process that does nothing else ---- */

static void begin_alone(void)
{
    const char *launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE",
                               "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        unsetenv(launchers[i]);
    refused(wick_init(&w, NULL), "start the program with mpiexec or srun as at least 2 processes");
    refused(wick_get(w, NULL), "start the program with mpiexec");
    refused(wick_finalize(w), "start the program with mpiexec");
    ok(wick_rank(w) == -1 && wick_size(w) == 0 && wick_nodes(w) == 0 && wick_node(w, 0) == -1 &&
           !wick_node_name(w, 0),
       "there are no clients and no nodes");
}

static void begin_as_copies(void)
{
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("PMIX_RANK");
    unsetenv("PMI_SIZE");
    setenv("SLURM_PROCID", "1", 1);
    setenv("SLURM_STEP_NUM_TASKS", "3", 1);
    refused(wick_init(&w, NULL), "srun started 3 processes without MPI");
}

static void begin_with_nonsense(void)
{
    refused(wick_init(&w, &(struct wick_options){.servers = -1}),
            "the number of servers cannot be -1");
}

static void in_child(void (*begin)(void))
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        begin();
        fflush(stdout);
        _exit(tap_failed != 0);
    }
    waitpid(child, &status, 0);
    ok(status == 0, "a process that cannot begin knows why");
}

/* ---- tasks ---- */

static void tasks(void)
{
    static const struct {
        struct wick_task task;
        const char *part;
    } cases[] = {
        {{.type = -1}, "a task's type is 0 to 63, not -1"},
        {{.type = 64}, "a task's type is 0 to 63, not 64"},
        {{.priority = 1 << 23}, "a task's priority is -8388608 to 8388607, not 8388608"},
        {{.priority = INT_MIN}, "not -2147483648"},
        {{.where = (enum wick_where)3}, "WICK_ANYWHERE, WICK_CLIENT or WICK_NODE, not 3"},
        {{.where = WICK_CLIENT, .target = -1}, "there is no client -1: clients are 0 to 2"},
        {{.where = WICK_CLIENT, .target = 3, .prefer = 1}, "there is no client 3"},
        {{.where = WICK_CLIENT, .clients = 2}, "a task for 2 clients cannot be bound to client 0"},
        {{.where = WICK_NODE, .target = 1}, "there is no node 1: nodes are 0 to 0"},
        {{.clients = 4}, "a task needs 4 clients, but there are only 3"},
        {{.where = WICK_NODE, .clients = UINT_MAX}, "a task needs 4294967295 clients"},
        {{.length = 5}, "a task of 5 bytes has no bytes"},
        {{.bytes = "", .length = (size_t)WICK_BYTES_LIMIT + 1}, "this one has 1073741825"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused(wick_put(w, &cases[i].task, NULL), cases[i].part);
}

static void answers(void)
{
    struct wick_result result;
    uint64_t id;
    void *communicator;
    refused(wick_answer(w, NULL, 0), "wick_answer() applies to the task from wick_get()");
    refused(wick_communicator(w, &communicator, sizeof communicator),
            "wick_communicator() applies to");
    refused(wick_result(w, 17, &result), "task 17 is not one of this client's");
    ok(wick_result(w, 0, &result) == WICK_DONE, "nothing was put, so no answer is to come");
    ok(wick_put(w, &(struct wick_task){.answer = 1}, &id) == 0 && id != 0 &&
           wick_result(w, id, &result) == 0,
       "a task, and its answer");
    refused(wick_result(w, id, &result), "its answer has been delivered already");
    ok(wick_put(w, &(struct wick_task){0}, &id) == 0 && id == 0, "a task without an answer");
}

static void keys(void)
{
    struct wick_value value;
    const struct wick_item *items;
    size_t count;
    char key[WICK_KEY_LIMIT + 2];
    memset(key, 'k', sizeof key);
    key[WICK_KEY_LIMIT + 1] = 0;
    refused(wick_store_get(w, NULL, &value), "a key is NULL");
    refused(wick_store_list(w, NULL, &items, &count), "a key is NULL");
    refused(wick_store_get(w, "", &value), "a key must have 1 to 512 bytes, but this one has 0");
    refused(wick_store_delete(w, key), "a key must have 1 to 512 bytes, but this one has 513");
    refused(wick_store_wait(w, key, 0, &value), "this one has 513");
    refused(wick_store_put(w, "a", NULL, 1, WICK_ANY, NULL), "a value of 1 bytes has no bytes");
    refused(wick_store_put(w, "a", "", (size_t)WICK_BYTES_LIMIT + 1, WICK_ANY, NULL),
            "a value can have at most 1073741824 bytes");
    ok(wick_store_put(w, key + 1, "", 0, WICK_ANY, NULL) == 0, "the longest key");
}

static void work(void)
{
    struct wick_assignment got;
    char small[3];
    while (wick_get(w, &got) == 0) {
        refused(wick_answer(w, NULL, 1), "an answer of 1 bytes has no bytes");
        refused(wick_answer(w, "", (size_t)WICK_BYTES_LIMIT + 1), "an answer can have at most");
        refused(wick_communicator(w, small, sizeof small), "whose size is not 3 bytes");
        ok(wick_answer(w, "", 0) == 0 && wick_flush(w) == 0, "an answer");
        refused(wick_answer(w, "", 0), "there is none, or it has been answered");
    }
}

int main(void)
{
    in_child(begin_alone);
    in_child(begin_as_copies);
    in_child(begin_with_nonsense);
    if (!ok(wick_init(&w, NULL) == 0, "it begins") || wick_error(w)[0])
        return 1;
    struct wick *again;
    refused(wick_init(&again, NULL), "wick_init() has been called already");
    ok(again == w && wick_node(w, 3) == -1 && wick_node(w, -1) == -1 && !wick_node_name(w, 1) &&
           !wick_node_name(w, -1) && wick_node_name(w, 0),
       "who is where, and who is not");
    if (wick_rank(w) == 0) {
        tasks();
        answers();
        keys();
        refused(wick_take_types(w, 1), "before any other function");
    }
    work();
    ok(wick_put(w, &(struct wick_task){0}, NULL) == WICK_DONE, "after the end nothing is put");
    ok(wick_finalize(w) == 0, "it ends");
    refused(wick_finalize(w), "wick_finalize() has been called");
    refused(wick_put(w, &(struct wick_task){0}, NULL), "wick_finalize() has been called");
    ok(wick_rank(w) == -1, "and nobody is a client any more");
    return tap_end();
}
