/*
 * data_keep.c - the data of this server: how they are found, counted, closed and freed.
 *
 * What may be about to close or to go is touched, and data_settle() looks at it at the end of the
 * message. It takes one after another from a list, so that a long chain of data that keep each
 * other needs no recursion.
 */
#include "balance/data.h"
#include "balance/server.h"

/* ---- memory ---- */

enum { ALLOCATION = 16 }; /* approximate bytes that the allocator adds to each piece */

void *data_allocate(struct data *d, size_t size)
{
    d->bytes += size + ALLOCATION;
    return memory_new(1, size);
}

void data_deallocate(struct data *d, void *memory, size_t size)
{
    if (!memory)
        return;
    d->bytes -= size + ALLOCATION;
    free(memory);
}

void *data_grow(struct data *d, void *items, size_t *capacity, size_t need, size_t size)
{
    size_t before = *capacity;
    items = memory_grow(items, capacity, need, size);
    d->bytes += (*capacity - before) * size + (before == 0 ? ALLOCATION : 0);
    return items;
}

static size_t kept_size(const struct kept *kept)
{
    return kept->id_count * sizeof(uint64_t) + kept->length;
}

struct balance_value data_view(const struct kept *kept)
{
    const unsigned char *from = kept_size(kept) > KEPT_SMALL ? kept->large : kept->small;
    return (struct balance_value){.ids = from,
                                  .id_count = kept->id_count,
                                  .bytes = from + kept->id_count * sizeof(uint64_t),
                                  .length = kept->length};
}

struct kept data_keep(struct data *d, const struct balance_value *value)
{
    struct kept kept = {.length = (uint32_t)value->length, .id_count = (uint32_t)value->id_count};
    size_t size = kept_size(&kept), ids = value->id_count * sizeof(uint64_t);
    unsigned char *to = kept.small;
    if (size > KEPT_SMALL)
        to = kept.large = data_allocate(d, size);
    if (ids > 0)
        memcpy(to, value->ids, ids);
    if (value->length > 0)
        memcpy(to + ids, value->bytes, value->length);
    return kept;
}

void data_drop_value(struct data *d, const struct balance_value *value)
{
    for (size_t i = 0; i < value->id_count && !d->ending; i++)
        data_count(d, balance_data_id(value, i), (struct data_counts){.references = -1});
}

void data_unkeep(struct data *d, struct kept *kept)
{
    size_t size = kept_size(kept);
    struct balance_value value = data_view(kept);
    data_drop_value(d, &value);
    if (size > KEPT_SMALL)
        data_deallocate(d, kept->large, size);
}

/* ---- the table ---- */

/* The place of a datum, or the free one where it belongs. */
static size_t place_of(const struct data *d, uint64_t id)
{
    size_t mask = d->place_count - 1, at = data_hash(id) & mask;
    while (d->places[at] && d->places[at]->id != id)
        at = (at + 1) & mask;
    return at;
}

struct datum *data_find(const struct data *d, uint64_t id)
{
    return d->count > 0 ? d->places[place_of(d, id)] : NULL;
}

static void grow_places(struct data *d)
{
    struct datum **old = d->places;
    size_t count = d->place_count;
    d->place_count = count ? 2 * count : 64;
    d->places = memory_new(d->place_count, sizeof *d->places);
    for (size_t i = 0; i < count; i++)
        if (old[i])
            d->places[place_of(d, old[i]->id)] = old[i];
    free(old);
}

/* Closes the gap, so that every search still ends at its datum or at a free place. */
static void leave_place(struct data *d, uint64_t id)
{
    size_t mask = d->place_count - 1, gap = place_of(d, id);
    for (size_t at = (gap + 1) & mask; d->places[at]; at = (at + 1) & mask) {
        size_t home = data_hash(d->places[at]->id) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            d->places[gap] = d->places[at];
            gap = at;
        }
    }
    d->places[gap] = NULL;
    d->count--;
}

struct datum *data_make(struct data *d, uint64_t id, enum balance_kind kind, uint32_t label,
                        struct data_counts counts)
{
    if (kind > BALANCE_UPDATEABLE || counts.references < 0 || counts.writers < 0)
        BUG("a datum of kind %d with %d references and %d writers", kind, counts.references,
            counts.writers);
    if (10 * (d->count + 1) > 7 * d->place_count)
        grow_places(d);
    struct datum **place = &d->places[place_of(d, id)];
    if (*place)
        BUG("datum %llx is made twice", (unsigned long long)id);
    struct datum *datum = *place = data_allocate(d, sizeof *datum);
    d->count++;
    datum->id = id;
    datum->kind = (uint8_t)kind;
    datum->label = label;
    datum->references = (uint32_t)counts.references;
    datum->writers = (uint32_t)counts.writers;
    data_touch(d, datum);
    return datum;
}

/* ---- counts ---- */

static bool is_unused(const struct datum *datum)
{
    return datum->references == 0 && datum->holds == 0;
}

void data_touch(struct data *d, struct datum *datum)
{
    bool closes = datum->writers == 0 && !datum->closed && datum->kind != BALANCE_CELL;
    if (datum->touched || !(closes || is_unused(datum)))
        return;
    datum->touched = true;
    d->touched =
        memory_grow(d->touched, &d->touched_capacity, d->touched_count + 1, sizeof *d->touched);
    d->touched[d->touched_count++] = datum;
}

void data_unhold(struct data *d, struct datum *datum)
{
    datum->holds--;
    data_touch(d, datum);
}

/* Changes a count; false if it leaves its range. */
static bool add(uint32_t *count, int32_t change)
{
    int64_t sum = (int64_t)*count + change;
    bool fits = sum >= 0 && sum <= UINT32_MAX;
    if (fits)
        *count = (uint32_t)sum;
    return fits;
}

static void count_here(struct data *d, uint64_t id, struct data_counts change)
{
    struct datum *datum = data_find(d, id);
    if (!datum) {
        data_fail(d, BALANCE_FAULT_UNKNOWN, id);
        return;
    }
    if (!add(&datum->references, change.references))
        data_fail(d, BALANCE_FAULT_UNKNOWN, id);
    if (change.writers != 0 && datum->kind == BALANCE_CELL)
        data_fail(d, BALANCE_FAULT_KIND, id);
    else if (change.writers != 0 && datum->closed)
        data_fail(d, BALANCE_FAULT_CLOSED, id);
    else if (!add(&datum->writers, change.writers))
        data_fail(d, BALANCE_FAULT_UNKNOWN, id);
    data_touch(d, datum);
}

void data_count(struct data *d, uint64_t id, struct data_counts change)
{
    int home = data_home(d, id);
    struct data_head head = {.id = id, .length = sizeof change, .operation = DATA_COUNT};
    if (home == d->server->index)
        count_here(d, id, change);
    else
        data_pass(d, home, &head, &change, change.references > 0 || change.writers != 0);
}

/* ---- cells and updateables ---- */

bool data_refuses(const struct datum *datum, enum balance_kind kind,
                  enum balance_fault_reason *reason)
{
    if (!datum)
        *reason = BALANCE_FAULT_UNKNOWN;
    else if (datum->kind != kind)
        *reason = BALANCE_FAULT_KIND;
    else
        *reason = kind == BALANCE_CELL ? BALANCE_FAULT_TWICE : BALANCE_FAULT_CLOSED;
    return !datum || datum->kind != kind || datum->closed;
}

/* A datum of this kind that may be written; NULL: this is reported. */
static struct datum *open_datum(struct data *d, uint64_t id, enum balance_kind kind)
{
    enum balance_fault_reason reason;
    struct datum *datum = data_find(d, id);
    if (!data_refuses(datum, kind, &reason))
        return datum;
    data_fail(d, reason, id);
    return NULL;
}

/* Answers all that wait for a datum to close. */
static void answer_closed(struct data *d, struct datum *datum)
{
    struct wait *waits = datum->waits;
    datum->closed = true;
    datum->waits = NULL;
    data_answer_all(d, waits);
}

void data_set(struct data *d, uint64_t id, const struct balance_value *value)
{
    struct datum *cell = open_datum(d, id, BALANCE_CELL);
    if (!cell) {
        data_drop_value(d, value);
        return;
    }
    cell->value = data_keep(d, value);
    answer_closed(d, cell);
}

void data_update(struct data *d, uint64_t id, enum balance_update how, double number)
{
    struct datum *datum = open_datum(d, id, BALANCE_UPDATEABLE);
    if (!datum)
        return;
    switch (how) {
    case BALANCE_UPDATE_SET: datum->number = number; break;
    case BALANCE_UPDATE_ADD: datum->number += number; break;
    case BALANCE_UPDATE_MIN: datum->number = number < datum->number ? number : datum->number; break;
    case BALANCE_UPDATE_SCALE: datum->number *= number; break;
    default: BUG("an update of type %d", how);
    }
}

/* ---- closing and freeing ---- */

static void close_datum(struct data *d, struct datum *datum)
{
    if (datum->closed || datum->kind == BALANCE_CELL)
        return;
    answer_closed(d, datum);
    if (datum->kind == BALANCE_ARRAY)
        data_close_members(d, datum);
}

/* Frees a datum with all that it keeps; its values give up what they refer to. */
static void free_datum(struct data *d, struct datum *datum)
{
    if (datum->kind == BALANCE_CELL && datum->closed)
        data_unkeep(d, &datum->value);
    else if (datum->kind == BALANCE_ARRAY)
        data_free_members(d, datum);
    else if (datum->kind == BALANCE_BAG)
        data_free_bag(d, datum);
    data_waits_free(datum->waits);
    data_deallocate(d, datum, sizeof *datum);
}

void data_settle(struct data *d)
{
    while (d->touched_count > 0) {
        struct datum *datum = d->touched[--d->touched_count];
        bool unused = is_unused(datum);
        datum->touched = false;
        if (datum->writers == 0 || unused) /* nobody can write to what nobody knows */
            close_datum(d, datum);
        if (unused) {
            leave_place(d, datum->id);
            free_datum(d, datum);
        }
    }
}

void data_keep_free(struct data *d)
{
    d->ending = true;
    for (size_t i = 0; i < d->place_count; i++)
        if (d->places[i])
            free_datum(d, d->places[i]);
    free(d->places);
    free(d->touched);
}
