/*
 * queue - what it costs a server to find the best task for a worker among a million.
 *
 * For each mix of tasks: the time of a take, the time of a put and a take, and the memory of a
 * queued task beyond its bytes, each compared with its limit. Times include reading the clock. A
 * taken task is put back untimed, so that the length of the queue does not change. The memory is
 * the highest value on the way to the million: a heap that has just grown is half empty.
 */
#include "balance/queue.h"
#include "bench/measure.h"

#include <malloc.h>
#include <math.h>

enum {
    PAYLOAD = 16,
    RANKS = 256,
    RANKS_OF_NODE = 8,
};

static size_t tasks = 1000000, sample_count = 200000;
static const double TIME_LIMIT = 1e-6;
static const double MEMORY_LIMIT = 200;

struct mix {
    const char *name;
    uint64_t priorities; /* number of different priorities */
    uint64_t types;      /* number of types, of which a worker takes every other one; 1: takes it */
    uint64_t targeted;   /* how many of 8 tasks are for ranks and nodes, hard and soft */
    bool soft;           /* all targets are soft */
};

static const struct mix mixes[] = {
    {"one kind, one priority", 1, 1, 0, false},
    {"one kind, 1000 priorities", 1000, 1, 0, false},
    {"8 types, targets, one priority", 1, 8, 6, false},
    {"8 types, targets, 1000 priorities", 1000, 8, 6, false},
    {"64 types, targets, 1000 priorities", 1000, 64, 6, false},
    {"all prefer a rank or node, 1000 priorities", 1000, 1, 8, true},
};

static struct task *random_task(const struct mix *mix, struct random *random, uint64_t id)
{
    unsigned char bytes[PAYLOAD] = {0};
    struct task_head head = {
        .id = id,
        .length = PAYLOAD,
        .priority = (int32_t)random_below(random, mix->priorities),
        .type = (uint8_t)random_below(random, mix->types),
    };
    if (random_below(random, 8) < mix->targeted) {
        int rank = (int)random_below(random, RANKS);
        head.scope = random_below(random, 2) ? TASK_RANK : TASK_NODE;
        head.target = head.scope == TASK_RANK ? rank : rank / RANKS_OF_NODE;
        head.soft = mix->soft || random_below(random, 2) == 0;
    }
    return task_new(&head, bytes);
}

static struct seeker random_seeker(const struct mix *mix, struct random *random)
{
    int rank = (int)random_below(random, RANKS);
    uint64_t types = UINT64_C(0x5555555555555555) << random_below(random, mix->types > 1 ? 2 : 1);
    return (struct seeker){rank, rank / RANKS_OF_NODE, types};
}

static double time_take(struct queue *queue, const struct mix *mix, struct random *random)
{
    struct seeker seeker = random_seeker(mix, random);
    double start = clock_now();
    struct task *task = queue_take(queue, &seeker);
    double seconds = clock_now() - start;
    if (!task)
        BUG("a worker gets no task");
    task->head.priority = (int32_t)random_below(random, mix->priorities);
    queue_add(queue, task, false);
    return seconds;
}

static double time_pair(struct queue *queue, const struct mix *mix, struct random *random)
{
    struct seeker seeker = random_seeker(mix, random);
    struct task *new = random_task(mix, random, 0);
    double start = clock_now();
    queue_add(queue, new, false);
    struct task *task = queue_take(queue, &seeker);
    double seconds = clock_now() - start;
    free(task);
    return seconds;
}

static void print_times(const char *what, double *samples)
{
    qsort(samples, sample_count, sizeof *samples, by_size);
    double median = samples[sample_count / 2];
    printf("  %-15s median %5.0f ns, 99 %% %5.0f ns; median is %.2f of the limit\n", what,
           median * 1e9, samples[sample_count * 99 / 100] * 1e9, median / TIME_LIMIT);
}

static double memory_now(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

static void run(const struct mix *mix, double *samples)
{
    struct random random;
    random_seed(&random, 1, 0);
    double before = memory_now();
    struct queue *queue = queue_create();
    double beyond = 0;
    for (uint64_t i = 1; i <= tasks; i++) {
        queue_add(queue, random_task(mix, &random, i), false);
        if (i >= tasks / 2 && i % 1000 == 0)
            beyond = fmax(beyond, (memory_now() - before) / (double)i - PAYLOAD);
    }
    printf("%s\n", mix->name);
    for (size_t i = 0; i < sample_count; i++)
        samples[i] = time_take(queue, mix, &random);
    print_times("take", samples);
    for (size_t i = 0; i < sample_count; i++)
        samples[i] = time_pair(queue, mix, &random);
    print_times("put and take", samples);
    printf("  %-15s %.0f bytes a task; %.2f of the limit\n", "memory", beyond,
           beyond / MEMORY_LIMIT);
    queue_free(queue);
}

int main(void)
{
    tasks = bench_size(tasks, 10000);
    sample_count = bench_size(sample_count, 1000);
    double *samples = memory_new(sample_count, sizeof *samples);
    printf("%zu tasks wait; a match may take %.0f ns, a task %.0f bytes beyond its own %d\n", tasks,
           TIME_LIMIT * 1e9, MEMORY_LIMIT, PAYLOAD);
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++)
        run(&mixes[i], samples);
    free(samples);
    return 0;
}
