/*
 * data_stuck.c - who still waits for data when all work is done.
 *
 * A server knows the tasks that wait there, and the labels of its own data; a task may wait for
 * data of other servers. So every server reports its tasks, what they wait for here, and what those
 * of other servers wait for here. The first one puts this together by the names of the tasks.
 */
#include "balance/data.h"
#include "balance/server.h"

/* A task, or something that it waits for; the key follows. */
struct stuck_item {
    uint64_t task; /* its server, and its slot there */
    uint64_t id;
    uint32_t number; /* 0: the task itself; from 1: which wait */
    uint32_t task_label, label, want;
};

/* ---- on every server ---- */

static uint64_t name_of(int server, uint32_t slot)
{
    return (uint64_t)server << 32 | slot;
}

static void report_wait(struct data *d, const struct wait *wait)
{
    int server = wait->waiter ? d->server->index : wait->server;
    struct stuck_item item = {.task = name_of(server, wait->head.slot),
                              .id = wait->datum->id,
                              .number = wait->head.number + 1,
                              .task_label = wait->head.label,
                              .label = wait->datum->label,
                              .want = wait->head.want};
    str_add_bytes(&d->stuck, &item, sizeof item);
    data_write_key(&d->stuck, wait->key);
}

/* The waits of other servers in a list. */
static void report_list(struct data *d, const struct wait *wait, size_t *room)
{
    for (; wait && *room > 0; wait = wait->next) {
        if (wait->waiter)
            continue;
        report_wait(d, wait);
        --*room;
    }
}

static void report_datum(struct data *d, const struct datum *datum, size_t *room)
{
    const struct members *members = datum->kind == BALANCE_ARRAY ? datum->members : NULL;
    report_list(d, datum->waits, room);
    for (size_t i = 0; members && i<members->count && * room> 0; i++)
        if (!members->items[i]->present)
            report_list(d, members->items[i]->waits, room);
}

static void report_task(struct data *d, const struct waiter *w, size_t *room)
{
    struct stuck_item item = {.task = name_of(d->server->index, w->slot), .task_label = w->label};
    str_add_bytes(&d->stuck, &item, sizeof item);
    data_write_key(&d->stuck, (struct slice){0});
    for (uint32_t i = 0; i<w->wait_count && * room> 0; i++)
        if (data_waits_here(&w->waits[i])) {
            report_wait(d, &w->waits[i]);
            --*room;
        }
}

/* What waits here; nothing if nobody cares any more. */
static void collect(struct data *d)
{
    size_t tasks = BALANCE_STUCK_LIMIT, waits = BALANCE_STUCK_LIMIT, others = BALANCE_STUCK_LIMIT;
    if (d->server->withdrawn)
        return;
    d->stuck_total += d->waiter_count;
    for (size_t i = 0; i < d->slots && tasks > 0; i++)
        if (d->waiters[i]) {
            report_task(d, d->waiters[i], &waits);
            tasks--;
        }
    for (size_t i = 0; i < d->place_count && others > 0; i++)
        if (d->places[i])
            report_datum(d, d->places[i], &others);
}

void data_report(struct balance_server *s)
{
    struct data *d = s->data;
    if (!d)
        return;
    collect(d);
    if (server_is_first(s) || d->stuck.length == 0)
        return;
    struct str message = {0};
    str_add_bytes(&message, &d->stuck_total, sizeof d->stuck_total);
    str_add_bytes(&message, d->stuck.text, d->stuck.length);
    comm_send(s->comm, 0, MESSAGE_DATA_STUCK, message.text, message.length);
    str_free(&message);
}

/* ---- on the first server ---- */

void data_stuck(struct balance_server *s, const struct comm_message *message)
{
    struct data *d = data_of(s);
    struct data_reader reader = {message->bytes, message->length, 0};
    uint64_t total;
    data_read(&reader, &total, sizeof total);
    d->stuck_total += total;
    str_add_bytes(&d->stuck, reader.bytes + reader.at, reader.length - reader.at);
}

struct stuck_entry {
    struct stuck_item item;
    struct slice key;
};

/* The waits of a task follow it, in their order. */
static int compare(const void *left, const void *right)
{
    const struct stuck_item *a = &((const struct stuck_entry *)left)->item;
    const struct stuck_item *b = &((const struct stuck_entry *)right)->item;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static struct stuck_entry *read_entries(const struct data *d, size_t *count)
{
    struct data_reader reader = {(const unsigned char *)d->stuck.text, d->stuck.length, 0};
    struct stuck_entry *entries = NULL;
    size_t capacity = 0;
    for (*count = 0; reader.at < reader.length; ++*count) {
        entries = memory_grow(entries, &capacity, *count + 1, sizeof *entries);
        data_read(&reader, &entries[*count].item, sizeof entries->item);
        entries[*count].key = data_read_key(&reader);
    }
    if (*count > 0)
        qsort(entries, *count, sizeof *entries, compare);
    return entries;
}

/* Makes tasks with their waits of the entries; returns how many. */
static size_t group(const struct stuck_entry *entries, size_t count, struct balance_stuck *tasks,
                    struct balance_stuck_wait *waits)
{
    size_t task_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct stuck_item *item = &entries[i].item;
        if (i == 0 || item->task != entries[i - 1].item.task)
            tasks[task_count++] = (struct balance_stuck){.label = item->task_label, .waits = waits};
        if (item->number == 0)
            continue;
        tasks[task_count - 1].wait_count++;
        *waits++ = (struct balance_stuck_wait){.id = item->id,
                                               .label = item->label,
                                               .want = (enum balance_want)item->want,
                                               .key = entries[i].key};
    }
    return task_count;
}

void data_tell_stuck(struct balance_server *s)
{
    struct data *d = s->data;
    size_t count;
    if (!d || d->stuck_total == 0 || !s->owner.stuck)
        return;
    struct stuck_entry *entries = read_entries(d, &count);
    struct balance_stuck *tasks = memory_new(count, sizeof *tasks);
    struct balance_stuck_wait *waits = memory_new(count, sizeof *waits);
    size_t task_count = group(entries, count, tasks, waits);
    s->owner.stuck(s->owner.self, tasks, task_count, d->stuck_total);
    free(entries);
    free(tasks);
    free(waits);
}
