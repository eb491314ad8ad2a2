/* agenda.c - the agenda as a heap with four children per entry, half as deep as with two. */
#include "comm/agenda.h"

#include <math.h>

enum { CHILDREN = 4 };

/* The turn rarely decides: only between messages of two ranks, when many have the same time. */
static inline bool earlier(const struct agenda *agenda, struct agenda_entry a,
                           struct agenda_entry b)
{
    if (a.time != b.time)
        return a.time < b.time;
    if (a.chance != b.chance)
        return a.chance < b.chance;
    return agenda->turns[a.item] < agenda->turns[b.item];
}

/* The earliest of the children that start at `child`; there is at least one. */
static inline size_t earliest(const struct agenda *agenda, size_t child)
{
    const struct agenda_entry *entries = agenda->entries + child;
    if (child + CHILDREN <= agenda->count) {
        /* Two pairs, which the processor compares at the same time. */
        size_t left = earlier(agenda, entries[1], entries[0]);
        size_t right = 2 + (size_t)earlier(agenda, entries[3], entries[2]);
        return child + (earlier(agenda, entries[right], entries[left]) ? right : left);
    }
    size_t first = 0;
    for (size_t i = 1; child + i < agenda->count; i++)
        first = earlier(agenda, entries[i], entries[first]) ? i : first;
    return child + first;
}

/* Puts an entry at `at`, or below it. */
static void sink(struct agenda *agenda, size_t at, struct agenda_entry entry)
{
    struct agenda_entry *entries = agenda->entries;
    for (size_t child; (child = CHILDREN * at + 1) < agenda->count; at = child) {
        child = earliest(agenda, child);
        if (!earlier(agenda, entries[child], entry))
            break;
        entries[at] = entries[child];
    }
    entries[at] = entry;
}

void agenda_add(struct agenda *agenda, double time, uint32_t chance, uint32_t item)
{
    struct agenda_entry entry = {time, chance, item};
    agenda->turns =
        memory_grow(agenda->turns, &agenda->turn_capacity, item + 1, sizeof *agenda->turns);
    agenda->turns[item] = agenda->added++;
    agenda->entries =
        memory_grow(agenda->entries, &agenda->capacity, agenda->count + 1, sizeof *agenda->entries);
    size_t at = agenda->count++;
    while (at > 0 && earlier(agenda, entry, agenda->entries[(at - 1) / CHILDREN])) {
        agenda->entries[at] = agenda->entries[(at - 1) / CHILDREN];
        at = (at - 1) / CHILDREN;
    }
    agenda->entries[at] = entry;
}

double agenda_next_time(const struct agenda *agenda)
{
    return agenda->count > 0 ? agenda->entries[0].time : INFINITY;
}

struct agenda_entry agenda_take(struct agenda *agenda)
{
    struct agenda_entry next = agenda->entries[0], last = agenda->entries[--agenda->count];
    if (agenda->count > 0)
        sink(agenda, 0, last);
    return next;
}

void agenda_sift(struct agenda *agenda, bool (*keep)(void *argument, uint32_t item), void *argument)
{
    size_t kept = 0;
    for (size_t i = 0; i < agenda->count; i++)
        if (keep(argument, agenda->entries[i].item))
            agenda->entries[kept++] = agenda->entries[i];
    agenda->count = kept;
    for (size_t at = kept / CHILDREN + (kept > 0); at-- > 0;) /* all that may have children */
        sink(agenda, at, agenda->entries[at]);
}

void agenda_free(struct agenda *agenda)
{
    free(agenda->entries);
    free(agenda->turns);
}
