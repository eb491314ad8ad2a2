/*
 * queue.c - the tasks that wait on a server.
 *
 * A lane is a heap of tasks of one type for one place: anywhere, a rank or a node. The lanes of a
 * place lie on a shelf, and a hash table finds the shelf of a rank or a node.
 *
 *   a task without a target    lies in the lane of anywhere
 *   one with a hard target     lies in the lane of its target, so that nobody else sees it
 *   one with a soft target     lies in both, and leaves both when it is taken from either
 *
 * So a seeker looks at the heads of the lanes on three shelves, and never has to skip tasks that it
 * may not take.
 *
 * Invariants: a task knows its lanes, and its place in each; a shelf's `types` are those of its
 * lanes that hold tasks; the first `busy` of the queue's shelves hold tasks, the others are empty.
 */
#include "balance/queue.h"

enum {
    ARITY = 4,          /* children per entry of a heap: flatter than with 2, and side by side */
    KEPT_ENTRIES = 16,  /* number of entries for which an empty lane keeps room */
    KEPT_SHELVES = 256, /* number of empty shelves that are kept */
};

/*
 * Lower keys come first. A key has the inverted priority in its upper bits, and a number below. The
 * numbers of tasks at the back count up from the middle, those of tasks at the front count down.
 */
enum { NUMBER_BITS = 40 };
static const uint64_t NUMBER_END = UINT64_C(1) << NUMBER_BITS;
static const uint64_t NUMBER_MIDDLE = UINT64_C(1) << (NUMBER_BITS - 1);

/* The key lies beside the task, so that a heap can be ordered without reading its tasks. */
struct entry {
    uint64_t key;
    struct task *task;
};

struct lane {
    struct shelf *shelf;
    struct entry *entries;
    size_t count, capacity;
    uint8_t type;
    bool anywhere; /* its shelf is that of anywhere */
};

struct shelf {
    uint64_t types; /* one bit for each lane that holds tasks */
    enum task_scope scope;
    int target;
    size_t at;                      /* its index among the queue's shelves */
    struct shelf *next;             /* next shelf in its chain of the hash table */
    uint64_t heads[TASK_TYPES];     /* the lowest key of each lane that holds tasks */
    struct lane *lanes[TASK_TYPES]; /* NULL until there is a task for it */
};

struct queue {
    struct shelf anywhere;
    struct shelf **shelves; /* the shelves of ranks and nodes */
    size_t shelf_count, shelf_capacity, busy;
    struct shelf **chains; /* the hash table of these shelves */
    size_t chain_count;    /* 0 or a power of two */
    size_t count;
    uint64_t front, back; /* the numbers of the next tasks at the front and the back */
};

struct task *task_new(const struct task_head *head, const void *bytes)
{
    struct task *task = memory_new(1, sizeof *task + head->length);
    task->head = *head;
    if (head->length > 0)
        memcpy(task->bytes, bytes, head->length);
    return task;
}

/* ---- lanes ---- */

static void lane_set(struct lane *lane, size_t at, struct entry entry)
{
    lane->entries[at] = entry;
    entry.task->at[lane->anywhere] = (uint32_t)at; /* reads nothing of the task: it is far away */
}

/* Puts an entry into the hole at `at`, or nearer to the head where it comes before others. */
static void lane_rise(struct lane *lane, size_t at, struct entry entry)
{
    while (at > 0) {
        size_t parent = (at - 1) / ARITY;
        if (lane->entries[parent].key < entry.key)
            break;
        lane_set(lane, at, lane->entries[parent]);
        at = parent;
    }
    lane_set(lane, at, entry);
}

static size_t lane_first_child(const struct lane *lane, size_t at)
{
    size_t child = ARITY * at + 1, first = child;
    size_t end = child + ARITY < lane->count ? child + ARITY : lane->count;
    while (++child < end)
        if (lane->entries[child].key < lane->entries[first].key)
            first = child;
    return first;
}

/* Puts an entry into the hole at `at`, or further from the head where others come before it. */
static void lane_sink(struct lane *lane, size_t at, struct entry entry)
{
    while (ARITY * at + 1 < lane->count) {
        size_t child = lane_first_child(lane, at);
        if (entry.key < lane->entries[child].key)
            break;
        lane_set(lane, at, lane->entries[child]);
        at = child;
    }
    lane_set(lane, at, entry);
}

static void lane_remove(struct lane *lane, size_t at)
{
    struct entry last = lane->entries[--lane->count];
    if (at < lane->count) {
        if (at > 0 && last.key < lane->entries[(at - 1) / ARITY].key)
            lane_rise(lane, at, last);
        else
            lane_sink(lane, at, last);
    } else if (lane->count == 0 && lane->capacity > KEPT_ENTRIES) {
        free(lane->entries);
        lane->entries = NULL;
        lane->capacity = 0;
    }
}

/* ---- shelves ---- */

static size_t chain_of(const struct queue *queue, enum task_scope scope, int target)
{
    uint64_t hash = ((uint64_t)(uint32_t)target << 2 | scope) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) & (queue->chain_count - 1);
}

static struct shelf *shelf_find(const struct queue *queue, enum task_scope scope, int target)
{
    if (queue->chain_count == 0)
        return NULL;
    struct shelf *shelf = queue->chains[chain_of(queue, scope, target)];
    while (shelf && (shelf->target != target || shelf->scope != scope))
        shelf = shelf->next;
    return shelf;
}

static void shelf_link(struct queue *queue, struct shelf *shelf)
{
    struct shelf **chain = &queue->chains[chain_of(queue, shelf->scope, shelf->target)];
    shelf->next = *chain;
    *chain = shelf;
}

static void shelf_unlink(struct queue *queue, struct shelf *shelf)
{
    struct shelf **link = &queue->chains[chain_of(queue, shelf->scope, shelf->target)];
    while (*link != shelf)
        link = &(*link)->next;
    *link = shelf->next;
}

static void double_chains(struct queue *queue)
{
    free(queue->chains);
    queue->chain_count = queue->chain_count ? 2 * queue->chain_count : 16;
    queue->chains = memory_new(queue->chain_count, sizeof *queue->chains);
    for (size_t i = 0; i < queue->shelf_count; i++)
        shelf_link(queue, queue->shelves[i]);
}

static struct shelf *shelf_create(struct queue *queue, enum task_scope scope, int target)
{
    if (queue->shelf_count == queue->chain_count)
        double_chains(queue);
    struct shelf *shelf = memory_new(1, sizeof *shelf);
    shelf->scope = scope;
    shelf->target = target;
    shelf->at = queue->shelf_count;
    queue->shelves = memory_grow(queue->shelves, &queue->shelf_capacity, queue->shelf_count + 1,
                                 sizeof *queue->shelves);
    queue->shelves[queue->shelf_count++] = shelf;
    shelf_link(queue, shelf);
    return shelf;
}

static struct shelf *target_shelf(struct queue *queue, const struct task_head *head)
{
    struct shelf *shelf = shelf_find(queue, head->scope, head->target);
    return shelf ? shelf : shelf_create(queue, head->scope, head->target);
}

static void lanes_free(struct shelf *shelf)
{
    for (size_t type = 0; type < TASK_TYPES; type++)
        if (shelf->lanes[type]) {
            free(shelf->lanes[type]->entries);
            free(shelf->lanes[type]);
        }
}

static void shelf_move(struct queue *queue, struct shelf *shelf, size_t to)
{
    struct shelf *other = queue->shelves[to];
    queue->shelves[shelf->at] = other;
    queue->shelves[to] = shelf;
    other->at = shelf->at;
    shelf->at = to;
}

/* An empty shelf is usually needed again soon, but targets that are gone must not pile up. */
static void shelf_retire(struct queue *queue, struct shelf *shelf)
{
    if (queue->shelf_count - queue->busy <= KEPT_SHELVES)
        return;
    shelf_move(queue, shelf, --queue->shelf_count);
    shelf_unlink(queue, shelf);
    lanes_free(shelf);
    free(shelf);
}

/* Must be called after each change to a lane. */
static void shelf_update(struct queue *queue, const struct lane *lane)
{
    struct shelf *shelf = lane->shelf;
    uint64_t before = shelf->types;
    if (lane->count > 0) {
        shelf->heads[lane->type] = lane->entries[0].key;
        shelf->types |= UINT64_C(1) << lane->type;
    } else {
        shelf->types &= ~(UINT64_C(1) << lane->type);
    }
    if (lane->anywhere || !before == !shelf->types)
        return;
    if (!before) {
        shelf_move(queue, shelf, queue->busy++);
    } else {
        shelf_move(queue, shelf, --queue->busy);
        shelf_retire(queue, shelf);
    }
}

/* The type with the lowest key; at least one of the types has a task. */
static size_t shelf_best(const struct shelf *shelf, uint64_t types)
{
    size_t best = 0;
    uint64_t lowest = UINT64_MAX;
    for (types &= shelf->types; types; types &= types - 1) {
        size_t type = (size_t)__builtin_ctzll(types);
        uint64_t key = shelf->heads[type];
        best = key < lowest ? type : best;
        lowest = key < lowest ? key : lowest;
    }
    return best;
}

/* ---- the queue ---- */

struct queue *queue_create(void)
{
    struct queue *queue = memory_new(1, sizeof *queue);
    queue->front = NUMBER_MIDDLE - 1;
    queue->back = NUMBER_MIDDLE;
    return queue;
}

void queue_free(struct queue *queue)
{
    for (struct task *task = queue_any(queue); task; task = queue_any(queue)) {
        queue_remove(queue, task);
        free(task);
    }
    lanes_free(&queue->anywhere);
    for (size_t i = 0; i < queue->shelf_count; i++) {
        lanes_free(queue->shelves[i]);
        free(queue->shelves[i]);
    }
    free(queue->shelves);
    free(queue->chains);
    free(queue);
}

static uint64_t next_key(struct queue *queue, int32_t priority, bool front)
{
    if (queue->count == 0) { /* nothing to be before or behind: restart the numbers */
        queue->front = NUMBER_MIDDLE - 1;
        queue->back = NUMBER_MIDDLE;
    }
    if (queue->front == 0 || queue->back == NUMBER_END)
        BUG("the queue has run out of numbers");
    uint64_t number = front ? queue->front-- : queue->back++;
    return (uint64_t)(TASK_PRIORITY_LIMIT - 1 - priority) << NUMBER_BITS | number;
}

static struct lane *lane_of(struct queue *queue, struct shelf *shelf, uint8_t type)
{
    if (!shelf->lanes[type]) {
        struct lane *lane = shelf->lanes[type] = memory_new(1, sizeof *lane);
        lane->shelf = shelf;
        lane->type = type;
        lane->anywhere = shelf == &queue->anywhere;
    }
    return shelf->lanes[type];
}

static void enter(struct queue *queue, struct lane *lane, struct task *task)
{
    lane->entries =
        memory_grow(lane->entries, &lane->capacity, lane->count + 1, sizeof *lane->entries);
    lane_rise(lane, lane->count++, (struct entry){task->key, task});
    shelf_update(queue, lane);
}

/* Afterwards the lane may be gone, along with its shelf. */
static void leave(struct queue *queue, struct lane *lane, size_t at)
{
    lane_remove(lane, at);
    shelf_update(queue, lane);
}

static void forget(struct queue *queue, struct task *task)
{
    task->lane[0] = task->lane[1] = NULL;
    queue->count--;
}

void queue_add(struct queue *queue, struct task *task, bool front)
{
    const struct task_head *head = &task->head;
    if (head->type >= TASK_TYPES || head->scope > TASK_NODE ||
        head->priority < -TASK_PRIORITY_LIMIT || head->priority >= TASK_PRIORITY_LIMIT)
        BUG("a task has type %d, scope %d, priority %d", head->type, head->scope, head->priority);
    if (task->lane[0])
        BUG("a task is put into the queue twice");
    task->key = next_key(queue, head->priority, front);
    size_t lanes = 0;
    if (head->scope != TASK_ANYWHERE)
        task->lane[lanes++] = lane_of(queue, target_shelf(queue, head), head->type);
    if (head->scope == TASK_ANYWHERE || head->soft)
        task->lane[lanes++] = lane_of(queue, &queue->anywhere, head->type);
    for (size_t i = 0; i < lanes; i++)
        enter(queue, task->lane[i], task);
    queue->count++;
}

void queue_remove(struct queue *queue, struct task *task)
{
    if (!task->lane[0])
        BUG("a task is taken out that is not in the queue");
    for (size_t i = 0; i < 2 && task->lane[i]; i++)
        leave(queue, task->lane[i], task->at[task->lane[i]->anywhere]);
    forget(queue, task);
}

/* Within a priority, tasks meant for this worker come first: who else would take them? */
static struct lane *best_lane(const struct queue *queue, const struct seeker *seeker)
{
    const struct shelf *shelves[] = {
        queue->busy ? shelf_find(queue, TASK_RANK, seeker->rank) : NULL,
        queue->busy ? shelf_find(queue, TASK_NODE, seeker->node) : NULL,
        &queue->anywhere,
    };
    uint64_t best_priority = UINT64_MAX; /* inverted, as in a key */
    struct lane *best = NULL;
    for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++) {
        if (!shelves[i] || !(shelves[i]->types & seeker->types))
            continue;
        size_t type = shelf_best(shelves[i], seeker->types);
        uint64_t priority = shelves[i]->heads[type] >> NUMBER_BITS;
        if (priority < best_priority) {
            best_priority = priority;
            best = shelves[i]->lanes[type];
        }
    }
    return best;
}

const struct task *queue_look(const struct queue *queue, const struct seeker *seeker)
{
    const struct lane *lane = best_lane(queue, seeker);
    return lane ? lane->entries[0].task : NULL;
}

struct task *queue_take(struct queue *queue, const struct seeker *seeker)
{
    struct lane *lane = best_lane(queue, seeker);
    if (!lane)
        return NULL;
    struct task *task = lane->entries[0].task;
    /* The task is probably far away in memory: fetch it while its lane is put in order. */
    __builtin_prefetch(task->lane);
    bool anywhere = lane->anywhere;
    leave(queue, lane, 0);
    if (task->lane[1])
        leave(queue, task->lane[!anywhere], task->at[!anywhere]);
    forget(queue, task);
    return task;
}

static struct task *shelf_find_task(const struct shelf *shelf, int32_t origin, uint32_t turn)
{
    for (uint64_t types = shelf->types; types; types &= types - 1) {
        const struct lane *lane = shelf->lanes[__builtin_ctzll(types)];
        for (size_t i = 0; i < lane->count; i++) {
            struct task *task = lane->entries[i].task;
            if (task->head.origin == origin && task->head.turn == turn)
                return task;
        }
    }
    return NULL;
}

struct task *queue_find(const struct queue *queue, int32_t origin, uint32_t turn)
{
    struct task *task = shelf_find_task(&queue->anywhere, origin, turn);
    for (size_t i = 0; i < queue->busy && !task; i++)
        task = shelf_find_task(queue->shelves[i], origin, turn);
    return task;
}

struct task *queue_bound(const struct queue *queue, enum task_scope scope, int target)
{
    const struct shelf *shelf = shelf_find(queue, scope, target);
    for (uint64_t types = shelf ? shelf->types : 0; types; types &= types - 1) {
        const struct lane *lane = shelf->lanes[__builtin_ctzll(types)];
        for (size_t i = lane->count; i-- > 0;)
            if (!lane->entries[i].task->head.soft)
                return lane->entries[i].task;
    }
    return NULL;
}

/* The last entry of a heap, which is the cheapest to remove. */
struct task *queue_any(const struct queue *queue)
{
    const struct shelf *shelf = queue->busy ? queue->shelves[0] : &queue->anywhere;
    if (!shelf->types)
        return NULL;
    const struct lane *lane = shelf->lanes[__builtin_ctzll(shelf->types)];
    return lane->entries[lane->count - 1].task;
}

size_t queue_count(const struct queue *queue)
{
    return queue->count;
}

size_t queue_count_free(const struct queue *queue, uint64_t types)
{
    size_t count = 0;
    for (types &= queue->anywhere.types; types; types &= types - 1)
        count += queue->anywhere.lanes[__builtin_ctzll(types)]->count;
    return count;
}
