/*
 * library_end.c - the C library: a leader that waits for answers, clients that leave, tasks that no
 * client takes.
 */
#include "library/wick.h"
#include "tap.h"

enum { WORK, UNLOVED, ROUNDS = 30 };

static struct wick *w;

static uint64_t put(int type, unsigned clients, int answer)
{
    uint64_t id = 0;
    struct wick_task task = {.type = type, .clients = clients, .answer = answer};
    ok(wick_put(w, &task, &id) == 0, "a task of type %d for %u", type, clients);
    return id;
}

/* The clients after these get one task each, before all others, and leave. */
static const int LAST_TO_STAY = 2;

static void send_home(void)
{
    for (int client = LAST_TO_STAY + 1; client < wick_size(w); client++) {
        struct wick_task task = {.type = WORK, .priority = 1, .where = WICK_CLIENT};
        task.target = client;
        ok(wick_put(w, &task, NULL) == 0, "a last task for client %d", client);
    }
}

/* Each round waits for the one before, so the end must not be detected in between. */
static void lead(void)
{
    struct wick_result result;
    int code, polls = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t id = put(WORK, round % 5 == 0 ? 2 : 1, 1);
        put(WORK, 1, 0);
        if (round % 3 == 0)
            while ((code = wick_poll(w, id, &result)) == WICK_PENDING)
                polls++;
        else
            code = wick_result(w, round % 2 ? id : 0, &result);
        ok(code == 0 && result.id == id && result.length == 4 && !memcmp(result.bytes, "done", 4),
           "round %d, %d polls so far", round, polls);
    }
}

static void nobody_takes_these(void)
{
    struct wick_result result;
    put(UNLOVED, 1, 0);
    uint64_t single = put(UNLOVED, 1, 1), shared = put(UNLOVED, 2, 1);
    put(UNLOVED, 2, 0);
    ok(wick_result(w, shared, &result) == 0 && result.outcome == WICK_REFUSED && !result.length,
       "a task for more clients than take its type is refused");
    struct wick_assignment got;
    ok(wick_get(w, &got) == WICK_DONE, "tasks that nobody takes do not keep the end away");
    ok(wick_result(w, single, &result) == 0 && result.outcome == WICK_RETURNED,
       "who wants an answer hears that there is none");
    ok(wick_result(w, 0, &result) == WICK_DONE, "once");
}

int main(void)
{
    struct wick_assignment got;
    int code = 0;
    if (!ok(wick_init(&w, NULL) == 0, "it begins"))
        return tap_end();
    int rank = wick_rank(w);
    ok(wick_take_types(w, rank == 0 ? 0 : 1 << WORK) == 0, "what it takes");
    if (rank == 0) {
        send_home();
        lead();
        nobody_takes_these();
    }
    if (rank > LAST_TO_STAY) /* in the middle of a task */
        ok(wick_get(w, &got) == 0 && got.from == 0, "client %d gets a task and leaves", rank);
    while (rank <= LAST_TO_STAY && (code = wick_get(w, &got)) == 0)
        wick_answer(w, "done", got.index == 0 ? 4 : 0);
    ok(code == 0 || code == WICK_DONE, "it ends");
    code = wick_finalize(w);
    if (rank == 0) {
        ok(code == WICK_LEFT, "client 0 hears that tasks were left");
        ok(strstr(wick_error(w), "no client could take 3 tasks") != NULL, "how many: %s",
           wick_error(w));
    } else {
        ok(code == 0, "the others do not");
    }
    return tap_end();
}
