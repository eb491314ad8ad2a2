/* agenda.c - the agenda as a heap with four children, which is half as deep as one with two. */
#include "comm/agenda.h"

#include <math.h>

enum { CHILDREN = 4 };

static inline bool earlier(const struct agenda_entry *a, const struct agenda_entry *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    if (a->chance != b->chance)
        return a->chance < b->chance;
    return a->turn < b->turn;
}

/* Puts an entry where `at` is, or above it. */
static void rise(struct agenda_entry *entries, size_t at, const struct agenda_entry *entry)
{
    while (at > 0 && earlier(entry, &entries[(at - 1) / CHILDREN])) {
        entries[at] = entries[(at - 1) / CHILDREN];
        at = (at - 1) / CHILDREN;
    }
    entries[at] = *entry;
}

/* Puts an entry where `at` is, or below it. */
static void sink(struct agenda *agenda, size_t at, const struct agenda_entry *entry)
{
    struct agenda_entry *entries = agenda->entries;
    for (;;) {
        size_t first = CHILDREN * at + 1, end = first + CHILDREN;
        if (first >= agenda->count)
            break;
        if (end > agenda->count)
            end = agenda->count;
        for (size_t child = first + 1; child < end; child++)
            if (earlier(&entries[child], &entries[first]))
                first = child;
        if (!earlier(&entries[first], entry))
            break;
        entries[at] = entries[first];
        at = first;
    }
    entries[at] = *entry;
}

void agenda_add(struct agenda *agenda, double time, uint32_t chance, uint32_t item)
{
    struct agenda_entry entry = {time, agenda->turns++, chance, item};
    agenda->entries =
        memory_grow(agenda->entries, &agenda->capacity, agenda->count + 1, sizeof *agenda->entries);
    rise(agenda->entries, agenda->count++, &entry);
}

double agenda_next_time(const struct agenda *agenda)
{
    return agenda->count > 0 ? agenda->entries[0].time : INFINITY;
}

struct agenda_entry agenda_take(struct agenda *agenda)
{
    struct agenda_entry next = agenda->entries[0], last = agenda->entries[--agenda->count];
    if (agenda->count > 0)
        sink(agenda, 0, &last);
    return next;
}

void agenda_sift(struct agenda *agenda, bool (*keep)(void *argument, uint32_t item), void *argument)
{
    size_t kept = 0;
    for (size_t i = 0; i < agenda->count; i++)
        if (keep(argument, agenda->entries[i].item))
            agenda->entries[kept++] = agenda->entries[i];
    agenda->count = kept;
    for (size_t at = kept / CHILDREN + 1; at-- > 0;) {
        if (at >= kept)
            continue;
        struct agenda_entry entry = agenda->entries[at];
        sink(agenda, at, &entry);
    }
}

void agenda_free(struct agenda *agenda)
{
    free(agenda->entries);
}
