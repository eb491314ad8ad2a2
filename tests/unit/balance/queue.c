/* queue - which task a worker gets: a table of cases, and a model that scans all tasks. */
#include "balance/queue.h"
#include "tap.h"

static const uint64_t ALL = UINT64_MAX;

/* ---- a table: what is put, who asks, and what the asker gets until nothing is left for it ---- */

struct put {
    uint64_t id; /* 0 ends a case's list */
    int32_t priority;
    enum task_scope scope;
    int32_t target;
    bool soft, front;
    uint8_t type;
};

struct order_case {
    const char *name;
    struct put puts[6];
    struct seeker seeker;
    const char *order;
};

/* The seeker is on rank 5 of node 2 unless a case says otherwise. */
static const struct order_case order_cases[] = {
    {"an empty queue has nothing", {{0}}, {5, 2, ALL}, ""},
    {"tasks of one priority come in the order they were put",
     {{.id = 1}, {.id = 2}, {.id = 3}, {.id = 4}},
     {5, 2, ALL},
     "1 2 3 4"},
    {"the highest priority comes first, below zero too",
     {{.id = 1}, {.id = 2, .priority = 7}, {.id = 3, .priority = -7}, {.id = 4, .priority = 7}},
     {5, 2, ALL},
     "2 4 1 3"},
    {"the outermost priorities are in order",
     {{.id = 1, .priority = -TASK_PRIORITY_LIMIT},
      {.id = 2, .priority = TASK_PRIORITY_LIMIT - 1},
      {.id = 3, .priority = 1 - TASK_PRIORITY_LIMIT},
      {.id = 4, .priority = TASK_PRIORITY_LIMIT - 2}},
     {5, 2, ALL},
     "2 4 3 1"},
    {"the front is before all others of the priority, the last put there first",
     {{.id = 1}, {.id = 2, .front = true}, {.id = 3, .front = true}, {.id = 4}},
     {5, 2, ALL},
     "3 2 1 4"},
    {"the front of a priority is behind higher ones and before lower ones",
     {{.id = 1, .priority = 1}, {.id = 2, .priority = -1}, {.id = 3}, {.id = 4, .front = true}},
     {5, 2, ALL},
     "1 4 3 2"},
    {"a worker gets tasks of its types only",
     {{.id = 1, .type = 1}, {.id = 2, .type = 2}, {.id = 3, .type = 63}, {.id = 4, .type = 0}},
     {5, 2, UINT64_C(1) << 63 | 2},
     "1 3"},
    {"types do not change the order",
     {{.id = 1, .type = 9}, {.id = 2, .type = 3}, {.id = 3, .type = 9}, {.id = 4, .type = 63}},
     {5, 2, ALL},
     "1 2 3 4"},
    {"a worker without types gets nothing", {{.id = 1}, {.id = 2, .type = 63}}, {5, 2, 0}, ""},
    {"a task that is bound to a rank waits for it",
     {{.id = 1, .scope = TASK_RANK, .target = 4},
      {.id = 2, .scope = TASK_RANK, .target = 5},
      {.id = 3, .scope = TASK_RANK, .target = 2}},
     {5, 2, ALL},
     "2"},
    {"a task that is bound to a node waits for it",
     {{.id = 1, .scope = TASK_NODE, .target = 5},
      {.id = 2, .scope = TASK_NODE, .target = 2},
      {.id = 3, .scope = TASK_NODE, .target = 1}},
     {5, 2, ALL},
     "2"},
    {"a task that prefers another rank or node comes in its turn",
     {{.id = 1, .scope = TASK_RANK, .target = 4, .soft = true},
      {.id = 2},
      {.id = 3, .scope = TASK_NODE, .target = 1, .soft = true}},
     {5, 2, ALL},
     "1 2 3"},
    {"of the same priority, those for the rank come first, then those for the node",
     {{.id = 1},
      {.id = 2, .scope = TASK_NODE, .target = 2},
      {.id = 3, .scope = TASK_RANK, .target = 5},
      {.id = 4, .scope = TASK_NODE, .target = 2, .soft = true},
      {.id = 5, .scope = TASK_RANK, .target = 5, .soft = true}},
     {5, 2, ALL},
     "3 5 2 4 1"},
    {"a higher priority counts more than a target",
     {{.id = 1, .scope = TASK_RANK, .target = 5},
      {.id = 2, .scope = TASK_NODE, .target = 2, .priority = 1},
      {.id = 3, .priority = 2}},
     {5, 2, ALL},
     "3 2 1"},
    {"the front of anywhere is behind what is meant for the rank",
     {{.id = 1, .scope = TASK_RANK, .target = 5}, {.id = 2, .front = true}},
     {5, 2, ALL},
     "1 2"},
    {"types hold for targeted tasks, too",
     {{.id = 1, .scope = TASK_RANK, .target = 5, .type = 1},
      {.id = 2, .scope = TASK_NODE, .target = 2, .type = 1},
      {.id = 3, .scope = TASK_RANK, .target = 5, .type = 2, .soft = true}},
     {5, 2, 4},
     "3"},
    {"a target of a task for anywhere means nothing",
     {{.id = 1, .target = 7, .soft = true}},
     {5, 2, ALL},
     "1"},
};

static struct task *task_of(const struct put *put)
{
    struct task_head head = {
        .turn = (uint32_t)put->id,
        .id = put->id,
        .length = sizeof put->id,
        .priority = put->priority,
        .target = put->target,
        .type = put->type,
        .scope = (uint8_t)put->scope,
        .soft = put->soft,
    };
    return task_new(&head, &put->id);
}

static void add(struct queue *queue, struct put put)
{
    queue_add(queue, task_of(&put), put.front);
}

static void check_order(const struct order_case *c)
{
    struct queue *queue = queue_create();
    size_t put = 0, taken = 0;
    for (; c->puts[put].id; put++)
        add(queue, c->puts[put]);
    struct str got = {0};
    for (const struct task *next; (next = queue_look(queue, &c->seeker)); taken++) {
        struct task *task = queue_take(queue, &c->seeker);
        str_printf(&got, taken ? " %d%s" : "%d%s", (int)task->head.id,
                   task == next ? "" : " (not the one that was looked at)");
        free(task);
    }
    is_text(str_text(&got), c->order, c->name);
    ok(!queue_take(queue, &c->seeker) && queue_count(queue) == put - taken, "the others stay");
    str_free(&got);
    queue_free(queue);
}

/* ---- single behaviours ---- */

static void a_task_carries_its_bytes(void)
{
    struct task *task = task_new(&(struct task_head){.id = 3, .length = 5}, "bytes");
    ok(task->head.id == 3 && memcmp(task->bytes, "bytes", 5) == 0,
       "a task has a copy of its bytes");
    ok(!task->lane[0], "a new task is not queued");
    free(task);
    task = task_new(&(struct task_head){.id = 4}, NULL);
    ok(task->head.length == 0, "a task may have no bytes");
    free(task);
}

static void a_soft_task_is_taken_once(void)
{
    struct queue *queue = queue_create();
    struct seeker near = {5, 2, ALL}, far = {9, 9, ALL};
    add(queue, (struct put){.id = 1, .scope = TASK_RANK, .target = 5, .soft = true});
    struct task *task = queue_take(queue, &far);
    ok(task && task->head.id == 1, "another worker gets what prefers a rank, when it asks first");
    ok(!queue_look(queue, &near) && queue_count(queue) == 0, "then it is gone for the rank");
    queue_add(queue, task, false);
    ok(queue_take(queue, &near) == task, "put back, the rank gets it");
    ok(!queue_look(queue, &far) && queue_count_free(queue, ALL) == 0, "then it is gone for others");
    free(task);
    queue_free(queue);
}

static void tasks_are_counted(void)
{
    struct queue *queue = queue_create();
    ok(queue_count(queue) == 0 && queue_count_free(queue, ALL) == 0, "an empty queue counts 0");
    add(queue, (struct put){.id = 1, .type = 1});
    add(queue, (struct put){.id = 2, .type = 2});
    add(queue, (struct put){.id = 3, .type = 2, .scope = TASK_RANK, .target = 5});
    add(queue, (struct put){.id = 4, .type = 2, .scope = TASK_NODE, .target = 2, .soft = true});
    ok(queue_count(queue) == 4, "each task counts once");
    ok(queue_count_free(queue, ALL) == 3, "a bound task is not free, one with a preference is");
    ok(queue_count_free(queue, 4) == 2 && queue_count_free(queue, 8) == 0, "by type");
    queue_free(queue);
}

static void tasks_are_found_and_removed(void)
{
    struct queue *queue = queue_create();
    struct seeker seeker = {5, 2, ALL};
    ok(!queue_any(queue) && !queue_find(queue, 0, 1), "an empty queue has not any");
    for (uint64_t id = 1; id <= 9; id++)
        add(queue, (struct put){.id = id, .scope = (enum task_scope)(id % 3), .soft = id > 5});
    for (uint64_t id = 1; id <= 9; id++) {
        struct task *task = queue_find(queue, 0, (uint32_t)id);
        ok(task && task->head.id == id, "task %d is found", (int)id);
    }
    ok(!queue_find(queue, 1, 1) && !queue_find(queue, 0, 10),
       "one of another turn or origin is not");
    struct task *third = queue_find(queue, 0, 3);
    queue_remove(queue, third);
    ok(!third->lane[0] && !queue_find(queue, 0, 3) && queue_count(queue) == 8, "one is removed");
    free(third);
    const struct task *first = queue_look(queue, &seeker);
    ok(first && first->head.id == 6, "the next is then the one that prefers others");
    size_t count = 0;
    for (struct task *task; (task = queue_any(queue)); count++) {
        queue_remove(queue, task);
        free(task);
    }
    ok(count == 8 && queue_count(queue) == 0, "any gives them all, one by one");
    queue_free(queue);
}

/* More targets than a queue has shelves for, again and again. */
static void targets_come_and_go(void)
{
    enum { TARGETS = 3000 };
    struct queue *queue = queue_create();
    int wrong = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < TARGETS; i++)
            add(queue, (struct put){.id = (uint64_t)i + 1,
                                    .scope = i % 2 ? TASK_RANK : TASK_NODE,
                                    .target = i * (round + 1),
                                    .type = (uint8_t)(i % TASK_TYPES)});
        for (int i = TARGETS - 1; i >= 0; i--) {
            int target = i * (round + 1);
            struct seeker seeker = {i % 2 ? target : -1, i % 2 ? -1 : target, ALL};
            struct task *task = queue_take(queue, &seeker);
            wrong += !task || task->head.id != (uint64_t)i + 1;
            free(task);
        }
    }
    ok(wrong == 0 && queue_count(queue) == 0, "each of %d targets gets its own task", TARGETS);
    queue_free(queue);
}

/* ---- the model: a list in the order of the keys' numbers, scanned from end to end ---- */

enum { MODEL_LIMIT = 400 };

struct model {
    struct put tasks[MODEL_LIMIT]; /* the next task first */
    size_t count;
};

static void model_add(struct model *model, const struct put *put)
{
    size_t at = put->front ? 0 : model->count;
    memmove(&model->tasks[at + 1], &model->tasks[at], (model->count - at) * sizeof *put);
    model->tasks[at] = *put;
    model->count++;
}

static void model_remove(struct model *model, size_t at)
{
    model->count--;
    memmove(&model->tasks[at], &model->tasks[at + 1], (model->count - at) * sizeof model->tasks[0]);
}

/* 0: not for this seeker; otherwise, the nearer, the higher. */
static int nearness(const struct put *put, const struct seeker *seeker)
{
    if (!(seeker->types >> put->type & 1))
        return 0;
    if (put->scope == TASK_RANK && put->target == seeker->rank)
        return 3;
    if (put->scope == TASK_NODE && put->target == seeker->node)
        return 2;
    return put->scope == TASK_ANYWHERE || put->soft;
}

/* The position of the best task, or the number of tasks if there is none. */
static size_t model_best(const struct model *model, const struct seeker *seeker)
{
    size_t best = model->count;
    for (size_t i = 0; i < model->count; i++) {
        const struct put *put = &model->tasks[i], *other = &model->tasks[best];
        int near = nearness(put, seeker);
        if (near == 0)
            continue;
        if (best == model->count || put->priority > other->priority ||
            (put->priority == other->priority && near > nearness(other, seeker)))
            best = i;
    }
    return best;
}

static size_t model_count_free(const struct model *model, uint64_t types)
{
    size_t count = 0;
    for (size_t i = 0; i < model->count; i++)
        count += (types >> model->tasks[i].type & 1) &&
                 (model->tasks[i].scope == TASK_ANYWHERE || model->tasks[i].soft);
    return count;
}

/* ---- both side by side, at random ---- */

struct pair {
    struct queue *queue;
    struct model model;
    struct random random;
    uint64_t next_id;
    int32_t priorities;
    uint64_t targets, types;
};

static struct seeker random_seeker(struct pair *p)
{
    uint64_t types = random_bits(&p->random);
    types |= random_bits(&p->random); /* three of four types, on average */
    return (struct seeker){(int)random_below(&p->random, p->targets),
                           (int)random_below(&p->random, p->targets), types};
}

static void random_add(struct pair *p)
{
    if (p->model.count == MODEL_LIMIT)
        return;
    struct put put = {
        .id = p->next_id++,
        .priority = (int32_t)random_below(&p->random, 2 * (uint64_t)p->priorities) - p->priorities,
        .scope = (enum task_scope)random_below(&p->random, 3),
        .target = (int32_t)random_below(&p->random, p->targets),
        .soft = random_below(&p->random, 2) == 0,
        .front = random_below(&p->random, 4) == 0,
        .type = (uint8_t)random_below(&p->random, p->types),
    };
    add(p->queue, put);
    model_add(&p->model, &put);
}

static bool random_take(struct pair *p)
{
    struct seeker seeker = random_seeker(p);
    size_t best = model_best(&p->model, &seeker);
    const struct task *next = queue_look(p->queue, &seeker);
    struct task *task = queue_take(p->queue, &seeker);
    if (best == p->model.count)
        return !task && !next;
    uint64_t id = p->model.tasks[best].id;
    model_remove(&p->model, best);
    bool same = task && task == next && !task->lane[0] && task->head.id == id &&
                memcmp(task->bytes, &id, sizeof id) == 0;
    free(task);
    return same;
}

static bool random_remove(struct pair *p)
{
    if (p->model.count == 0)
        return !queue_any(p->queue);
    size_t at = random_below(&p->random, p->model.count);
    struct task *task = queue_find(p->queue, 0, (uint32_t)p->model.tasks[at].id);
    if (!task)
        return false;
    model_remove(&p->model, at);
    queue_remove(p->queue, task);
    free(task);
    return true;
}

static bool random_counts(struct pair *p)
{
    uint64_t types = random_seeker(p).types;
    return queue_count(p->queue) == p->model.count &&
           queue_count_free(p->queue, types) == model_count_free(&p->model, types) &&
           !queue_any(p->queue) == (p->model.count == 0);
}

static bool random_step(struct pair *p, int step)
{
    /* The queue fills and drains in turn, so that it is often empty and often full. */
    uint64_t adds = step / 500 % 2 ? 3 : 6;
    uint64_t choice = random_below(&p->random, 10);
    if (choice < adds) {
        random_add(p);
        return true;
    }
    return choice < 9 ? random_take(p) : random_remove(p);
}

/* Seeds differ in the numbers of priorities, targets and types. */
static void behaves_like_the_model(uint64_t seed)
{
    static const int32_t priorities[] = {1, 2, 5, 1000};
    static const uint64_t targets[] = {1, 2, 6, 1000}, types[] = {1, 3, 17, TASK_TYPES};
    struct pair *p = memory_new(1, sizeof *p);
    p->queue = queue_create();
    p->next_id = 1;
    random_seed(&p->random, seed, 0);
    p->priorities = priorities[seed % 4];
    p->targets = targets[seed / 4 % 4];
    p->types = types[seed / 16 % 4];
    int step = 0;
    while (step < 6000 && random_step(p, step) && random_counts(p))
        step++;
    ok(step == 6000, "seed %d: the queue gives what the model gives", (int)seed);
    if (step < 6000)
        printf("# it differs at step %d, with %d tasks\n", step, (int)p->model.count);
    queue_free(p->queue);
    free(p);
}

int main(void)
{
    for (size_t i = 0; i < sizeof order_cases / sizeof *order_cases; i++)
        check_order(&order_cases[i]);
    a_task_carries_its_bytes();
    a_soft_task_is_taken_once();
    tasks_are_counted();
    tasks_are_found_and_removed();
    targets_come_and_go();
    for (uint64_t seed = 0; seed < 64; seed++)
        behaves_like_the_model(seed);
    return tap_end();
}
