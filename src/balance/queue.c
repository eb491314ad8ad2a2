/*
 * queue.c - the tasks that wait on a server.
 *
 * A lane is a heap of tasks of one type for one place: anywhere, a rank or a node. The lanes of a
 * place lie on a shelf, and a hash table finds the shelf of a rank or a node.
 *
 *   a task without a target    lies in the lane of anywhere
 *   one with a hard target     lies in the lane of its target, so that nobody else comes by it
 *   one with a soft target     lies in both, and leaves both when it is taken from either
 *
 * So a seeker looks at the heads of the lanes on three shelves, and whoever takes a task never
 * walks over others that it may not take.
 *
 * Invariants: a task knows its lanes, and its place in each; a shelf's `types` are those of its
 * lanes that hold tasks; the first `busy` of the queue's shelves hold tasks, the others are empty.
 */
#include "balance/queue.h"

enum {
    ARITY = 4,          /* children of a heap's entry: flatter than 2, and they lie side by side */
    KEPT_ENTRIES = 16,  /* an empty lane keeps room for so many, */
    KEPT_SHELVES = 256, /* and so many shelves stay when they are empty */
};

/*
 * Lower keys come first: the priority, turned around, above a number. Tasks at the back count up
 * from the middle, those at the front count down from it.
 */
enum { NUMBER_BITS = 40 };
static const uint64_t NUMBER_END = UINT64_C(1) << NUMBER_BITS;
static const uint64_t NUMBER_MIDDLE = UINT64_C(1) << (NUMBER_BITS - 1);

/* The key stands beside the task, so that a heap is put in order without reading its tasks. */
struct entry {
    uint64_t key;
    struct task *task;
};

struct lane {
    struct shelf *shelf;
    struct entry *entries;
    size_t count, capacity;
};

struct shelf {
    uint64_t types; /* a bit for each lane that holds tasks */
    enum task_scope scope;
    int target;
    size_t at;                      /* its place among the queue's shelves */
    struct shelf *next;             /* in its chain of the hash table */
    struct lane *lanes[TASK_TYPES]; /* NULL until there is a task for it */
};

struct queue {
    struct shelf anywhere;
    struct shelf **shelves; /* those of ranks and nodes */
    size_t shelf_count, shelf_capacity, busy;
    struct shelf **chains; /* the hash table of these shelves */
    size_t chain_count;    /* 0 or a power of two */
    size_t count;
    uint64_t front, back; /* the next numbers of tasks that are put there */
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
    entry.task->at[entry.task->lane[1] == lane] = (uint32_t)at;
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

static void lengthen_chains(struct queue *queue)
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
        lengthen_chains(queue);
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

/* An empty shelf is mostly wanted again soon; but targets that are gone must not pile up. */
static void shelf_retire(struct queue *queue, struct shelf *shelf)
{
    if (queue->shelf_count - queue->busy <= KEPT_SHELVES)
        return;
    shelf_move(queue, shelf, --queue->shelf_count);
    shelf_unlink(queue, shelf);
    lanes_free(shelf);
    free(shelf);
}

static void shelf_mark(struct queue *queue, struct shelf *shelf, uint64_t types)
{
    bool was_busy = shelf->types != 0;
    shelf->types = types;
    if (shelf == &queue->anywhere || was_busy == (types != 0))
        return;
    if (was_busy) {
        shelf_move(queue, shelf, --queue->busy);
        shelf_retire(queue, shelf);
    } else {
        shelf_move(queue, shelf, queue->busy++);
    }
}

/* The lane of this type whose head has the lowest key; NULL: there are no tasks of these types. */
static struct lane *shelf_best(const struct shelf *shelf, uint64_t types)
{
    struct lane *best = NULL;
    for (types &= shelf->types; types; types &= types - 1) {
        struct lane *lane = shelf->lanes[__builtin_ctzll(types)];
        if (!best || lane->entries[0].key < best->entries[0].key)
            best = lane;
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
    if (queue->count == 0) { /* nothing to be before or behind: start anew */
        queue->front = NUMBER_MIDDLE - 1;
        queue->back = NUMBER_MIDDLE;
    }
    if (queue->front == 0 || queue->back == NUMBER_END)
        BUG("the queue has run out of numbers");
    uint64_t number = front ? queue->front-- : queue->back++;
    return (uint64_t)(TASK_PRIORITY_LIMIT - 1 - priority) << NUMBER_BITS | number;
}

static void put(struct queue *queue, struct shelf *shelf, struct task *task, size_t slot)
{
    struct lane **lane = &shelf->lanes[task->head.type];
    if (!*lane) {
        *lane = memory_new(1, sizeof **lane);
        (*lane)->shelf = shelf;
    }
    struct lane *l = *lane;
    task->lane[slot] = l;
    l->entries = memory_grow(l->entries, &l->capacity, l->count + 1, sizeof *l->entries);
    lane_rise(l, l->count++, (struct entry){task->key, task});
    shelf_mark(queue, shelf, shelf->types | UINT64_C(1) << task->head.type);
}

void queue_add(struct queue *queue, struct task *task, bool front)
{
    const struct task_head *head = &task->head;
    if (head->type >= TASK_TYPES || head->scope > TASK_NODE ||
        head->priority < -TASK_PRIORITY_LIMIT || head->priority >= TASK_PRIORITY_LIMIT)
        BUG("a task has type %d, scope %d, priority %d", head->type, head->scope, head->priority);
    task->key = next_key(queue, head->priority, front);
    task->lane[0] = task->lane[1] = NULL;
    size_t slot = 0;
    if (head->scope != TASK_ANYWHERE) {
        struct shelf *shelf = shelf_find(queue, head->scope, head->target);
        if (!shelf)
            shelf = shelf_create(queue, head->scope, head->target);
        put(queue, shelf, task, slot++);
    }
    if (head->scope == TASK_ANYWHERE || head->soft)
        put(queue, &queue->anywhere, task, slot);
    queue->count++;
}

void queue_remove(struct queue *queue, struct task *task)
{
    if (!task->lane[0])
        BUG("a task is taken out that is not in the queue");
    for (size_t slot = 0; slot < 2 && task->lane[slot]; slot++) {
        struct lane *lane = task->lane[slot];
        lane_remove(lane, task->at[slot]);
        if (lane->count == 0)
            shelf_mark(queue, lane->shelf, lane->shelf->types & ~(UINT64_C(1) << task->head.type));
    }
    task->lane[0] = task->lane[1] = NULL;
    queue->count--;
}

static uint64_t urgency(const struct lane *lane)
{
    return lane->entries[0].key >> NUMBER_BITS;
}

/* Of the same priority, what is meant for this worker comes first: who else would take it? */
static struct lane *best_lane(const struct queue *queue, const struct seeker *seeker)
{
    struct lane *anywhere = shelf_best(&queue->anywhere, seeker->types);
    if (queue->busy == 0)
        return anywhere;
    const struct shelf *rank = shelf_find(queue, TASK_RANK, seeker->rank);
    const struct shelf *node = shelf_find(queue, TASK_NODE, seeker->node);
    struct lane *lanes[] = {
        rank ? shelf_best(rank, seeker->types) : NULL,
        node ? shelf_best(node, seeker->types) : NULL,
        anywhere,
    };
    struct lane *best = NULL;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        if (lanes[i] && (!best || urgency(lanes[i]) < urgency(best)))
            best = lanes[i];
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
    queue_remove(queue, task);
    return task;
}

static struct task *shelf_find_task(const struct shelf *shelf, uint64_t id, uint32_t turn)
{
    for (uint64_t types = shelf->types; types; types &= types - 1) {
        const struct lane *lane = shelf->lanes[__builtin_ctzll(types)];
        for (size_t i = 0; i < lane->count; i++) {
            struct task *task = lane->entries[i].task;
            if (task->head.id == id && task->head.turn == turn)
                return task;
        }
    }
    return NULL;
}

struct task *queue_find(const struct queue *queue, uint64_t id, uint32_t turn)
{
    struct task *task = shelf_find_task(&queue->anywhere, id, turn);
    for (size_t i = 0; i < queue->busy && !task; i++)
        task = shelf_find_task(queue->shelves[i], id, turn);
    return task;
}

/* The last of a heap: it is the cheapest to take out. */
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
