/* results.c - asking for the answers to tasks that this client put. */
#include "library/handle.h"

void results_ended(void *self, uint64_t id, enum balance_outcome outcome,
                   const unsigned char *bytes, size_t length)
{
    static const enum wick_outcome outcomes[] = {[BALANCE_DONE] = WICK_ANSWERED,
                                                 [BALANCE_BACK] = WICK_RETURNED,
                                                 [BALANCE_LOST] = WICK_RETURNED,
                                                 [BALANCE_REFUSED] = WICK_REFUSED};
    struct wick *w = self;
    uint64_t number = tasks_number(id);
    if (number == 0) {
        w->refused += outcome == BALANCE_REFUSED;
        return;
    }
    promises_keep(&w->promises, number, outcomes[outcome], bytes, length);
    w->kept++;
    w->awake |= w->awaits_result && (w->awaited == 0 || w->awaited == number);
}

/* Hands out the answer to task `id`, or any answer if it is 0; false if it is not there. */
static bool give(struct wick *w, uint64_t id, struct wick_result *result)
{
    uint64_t number = id ? id : promises_oldest(&w->promises);
    if (number == 0 && w->phase == PHASE_ENDED)
        number = promises_open(&w->promises);
    struct promise *promise = promises_find(&w->promises, number);
    if (!promise || (promise->state == PROMISE_OPEN && w->phase != PHASE_ENDED))
        return false;
    struct promise taken = promises_take(&w->promises, number);
    if (taken.state == PROMISE_OPEN) /* no outcomes come after the end */
        taken.outcome = WICK_RETURNED;
    free(w->result_bytes);
    w->result_bytes = taken.bytes;
    *result = (struct wick_result){number, taken.outcome, taken.bytes, taken.length};
    return true;
}

/* Returns the result if it need not wait for it, otherwise WICK_PENDING. */
static int result_now(struct wick *w, uint64_t id, struct wick_result *result)
{
    int code = handle_enter(w);
    if (code < 0 || w->rank < 0)
        return code;
    if (id != 0 && !promises_find(&w->promises, id))
        return err_set(
            &w->error, WICK_MISUSE,
            "task %llu is not one of this client's, or its answer has been delivered already",
            (unsigned long long)id);
    if (give(w, id, result))
        return 0;
    return w->promises.open > 0 ? WICK_PENDING : WICK_DONE;
}

/* A single client must do its tasks itself; the answers to those it has done are on their way. */
static int check_others(struct wick *w)
{
    if (w->size > 1 || w->own_done > w->kept)
        return 0;
    return err_set(&w->error, WICK_MISUSE,
                   "this is the only client, so it would wait for ever for an answer of its own: "
                   "do the tasks from wick_get() first, or start more processes");
}

int wick_result(struct wick *w, uint64_t id, struct wick_result *result)
{
    int code = result_now(w, id, result);
    if (code != WICK_PENDING)
        return code;
    if ((code = check_others(w)) != 0)
        return code;
    balance_flush(w->client);
    w->awaits_result = true;
    w->awaited = id;
    w->awake = false;
    comm_mpi_wait(w->comm, &w->awake);
    w->awaits_result = false;
    give(w, id, result);
    return 0;
}

static void wake(void *self)
{
    ((struct wick *)self)->awake = true;
}

int wick_poll(struct wick *w, uint64_t id, struct wick_result *result)
{
    int code = result_now(w, id, result);
    if (code != WICK_PENDING)
        return code;
    balance_flush(w->client);
    w->awake = false;
    comm_after(w->comm, 0, wake, w); /* one round handles what has arrived */
    comm_mpi_wait(w->comm, &w->awake);
    return give(w, id, result) ? 0 : WICK_PENDING;
}
