/*
 * library_tasks.c - the C library: thousands of tasks of all clients at once, with 1, 2 or 3
 * servers, until the end is detected.
 */
#include "base/base.h"
#include "library/wick.h"
#include "tap.h"

enum { SQUARES = 1500, DEPTH = 7, ORDERED = 64, BOUND = 20 };

enum type { SQUARE, ECHO, TREE, LEAF, ORDER, HOME, NODE, PREFERRING, QUIET };

static const size_t sizes[] = {0, 1, 2047, 2048, 5000, 100000, 3 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct tester {
    struct wick *w;
    uint64_t squares[SQUARES], echoes[SIZES];
    int leaves, last_priority, ordered, bound, on_node;
    bool wrong_order, wrong_place, wrong_answer;
    int polled; /* answers that came while there was work */
};

/* What client `client` asks to be squared, as task number i. */
static int number_of(int client, int i)
{
    return client * SQUARES + i;
}

static void put(struct tester *t, struct wick_task task, uint64_t *id)
{
    if (wick_put(t->w, &task, id) != 0)
        BUG("a task is not put: %s", wick_error(t->w));
}

/* ---- what is put at the start ---- */

static void put_squares(struct tester *t)
{
    for (int i = 0; i < SQUARES; i++) {
        int number = number_of(wick_rank(t->w), i);
        struct wick_task task = {&number, sizeof number, .type = SQUARE, .answer = 1};
        task.priority = i % 3;
        put(t, task, &t->squares[i]);
    }
}

static unsigned char *pattern(size_t length)
{
    unsigned char *bytes = memory_new(length, 1);
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)(i * 7 + length);
    return bytes;
}

static void put_echoes(struct tester *t)
{
    for (int i = 0; i < SIZES; i++) {
        unsigned char *bytes = pattern(sizes[i]);
        put(t, (struct wick_task){bytes, sizes[i], .type = ECHO, .answer = 1}, &t->echoes[i]);
        free(bytes);
    }
}

/* A client puts these to itself before it gets anything, so it gets them by priority. */
static void put_ordered(struct tester *t)
{
    for (int i = 0; i < ORDERED; i++) {
        int priority = i * 29 % ORDERED - ORDERED / 2;
        struct wick_task task = {&priority, sizeof priority, .type = ORDER, .priority = priority};
        task.where = WICK_CLIENT;
        task.target = wick_rank(t->w);
        put(t, task, NULL);
    }
}

static void put_bound(struct tester *t)
{
    for (int client = 0; client < wick_size(t->w); client++) {
        struct wick_task task = {&client, sizeof client, .type = HOME, .where = WICK_CLIENT};
        task.target = client;
        for (int i = 0; i < BOUND; i++)
            put(t, task, NULL);
        task.type = PREFERRING;
        task.prefer = 1;
        put(t, task, NULL);
    }
    int node = wick_node(t->w, wick_rank(t->w));
    put(t, (struct wick_task){&node, sizeof node, .type = NODE, .where = WICK_NODE, .target = node},
        NULL);
}

static void put_tree(struct tester *t, int depth)
{
    put(t, (struct wick_task){&depth, sizeof depth, .type = TREE, .priority = -depth}, NULL);
}

/* ---- doing it ---- */

static void do_tree(struct tester *t, const struct wick_assignment *got)
{
    int depth = *(const int *)got->bytes;
    for (int i = 0; depth > 0 && i < 2; i++)
        put_tree(t, depth - 1);
    if (depth == 0)
        put(t, (struct wick_task){.type = LEAF, .where = WICK_CLIENT, .target = 0}, NULL);
}

static void do_ordered(struct tester *t, int priority)
{
    t->wrong_order |= t->ordered++ > 0 && priority > t->last_priority;
    t->last_priority = priority;
}

static void do_task(struct tester *t, const struct wick_assignment *got)
{
    int number = got->type != ECHO && got->length ? *(const int *)got->bytes : 0;
    int square[2] = {number, number * number};
    switch ((enum type)got->type) {
    case SQUARE:
        t->wrong_place |= number / SQUARES != got->from;
        wick_answer(t->w, square, sizeof square);
        break;
    case ECHO: wick_answer(t->w, got->bytes, got->length); break;
    case TREE: do_tree(t, got); break;
    case LEAF: t->leaves++; break;
    case ORDER: do_ordered(t, number); break;
    case HOME:
        t->bound++;
        t->wrong_place |= number != wick_rank(t->w);
        break;
    case NODE: t->wrong_place |= number != wick_node(t->w, wick_rank(t->w)); break;
    default: break; /* not answered: the next wick_get() does it */
    }
    t->wrong_place |= got->type == LEAF && wick_rank(t->w) != 0;
    t->wrong_place |= got->clients != 1 || got->index != 0;
}

/* ---- what came of it ---- */

static void check_echo(struct tester *t, const struct wick_result *result, size_t length)
{
    unsigned char *bytes = pattern(length);
    t->wrong_answer |= result->outcome != WICK_ANSWERED || result->length != length ||
                       memcmp(result->bytes, bytes, length) != 0;
    free(bytes);
}

static void check_square(struct tester *t, const struct wick_result *result)
{
    const int *square = result->bytes;
    t->wrong_answer |= result->outcome != WICK_ANSWERED || result->length != 2 * sizeof *square;
    if (t->wrong_answer)
        return;
    int i = square[0] - number_of(wick_rank(t->w), 0);
    t->wrong_answer |=
        i < 0 || i >= SQUARES || square[1] != square[0] * square[0] || t->squares[i] != result->id;
    if (!t->wrong_answer)
        t->squares[i] = 0; /* told */
}

/* Some are received while there is work, some by name, the rest as they come. */
static void check_answers(struct tester *t)
{
    struct wick_result result;
    int told = t->polled;
    for (int i = 0; i < SIZES; i++)
        if (ok(wick_result(t->w, t->echoes[i], &result) == 0, "%zu bytes return", sizes[i]))
            check_echo(t, &result, sizes[i]);
    for (int i = 0; i < SQUARES; i += 2) {
        if (t->squares[i] == 0)
            continue;
        t->wrong_answer |= wick_result(t->w, t->squares[i], &result) != 0;
        check_square(t, &result);
        told++;
    }
    for (; wick_result(t->w, 0, &result) == 0; told++)
        check_square(t, &result);
    ok(told == SQUARES && !t->wrong_answer, "every answer is told once, and right");
    ok(wick_poll(t->w, 0, &result) == WICK_DONE, "and then there are none");
}

/* Receives the answers of squares that have come, until an echo is next. */
static void poll_some(struct tester *t)
{
    struct wick_result result;
    for (int i = 1; i < SQUARES && t->polled < 100; i += 100)
        if (t->squares[i] && wick_poll(t->w, t->squares[i], &result) == 0) {
            check_square(t, &result);
            t->polled++;
        }
}

static void wait_alone(struct tester *t)
{
    struct wick_result result;
    ok(wick_result(t->w, 0, &result) == WICK_MISUSE && strstr(wick_error(t->w), "only client"),
       "a client alone does not wait for itself");
}

static void work(struct tester *t)
{
    struct wick_assignment got;
    int done = 0, code;
    put_squares(t);
    put_echoes(t);
    put_ordered(t);
    put_bound(t);
    if (wick_rank(t->w) == 0)
        put_tree(t, DEPTH);
    if (wick_size(t->w) == 1)
        wait_alone(t);
    for (; (code = wick_get(t->w, &got)) == 0; done++) {
        do_task(t, &got);
        if (done % 50 == 0)
            poll_some(t);
    }
    ok(code == WICK_DONE && wick_get(t->w, &got) == WICK_DONE, "the end, after %d tasks", done);
    ok(t->ordered == ORDERED && !t->wrong_order, "tasks come by their priority");
    ok(t->bound == BOUND * wick_size(t->w), "what is bound to a client comes to it");
    ok(!t->wrong_place, "and nothing else");
    ok(wick_rank(t->w) != 0 || t->leaves == 1 << DEPTH, "tasks that tasks put are done");
    check_answers(t);
}

int main(void)
{
    struct tester t = {0};
    struct wick_options options = {.servers = 3};
    if (!ok(wick_init(&t.w, &options) == 0, "it begins"))
        printf("# %s\n", wick_error(t.w));
    if (wick_rank(t.w) < 0) {
        struct wick_assignment got;
        ok(wick_get(t.w, &got) == WICK_DONE, "a server serves until the end");
        ok(wick_put(t.w, &(struct wick_task){0}, NULL) == WICK_DONE, "and nothing follows");
    } else {
        work(&t);
    }
    if (!ok(wick_finalize(t.w) == 0, "nothing is left"))
        printf("# %s\n", wick_error(t.w));
    return tap_end();
}
