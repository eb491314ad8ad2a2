/*
 * data_array.c - the members of arrays and bags.
 *
 * A key enters its array when it gets a value or when somebody waits for it, and stays. What leads
 * to a member is called its path: all keys but the last name rows, which are made on the way.
 */
#include "balance/data.h"
#include "balance/server.h"

/* ---- the members of an array ---- */

/* FNV-1a, then a final mix. */
static uint32_t hash_of(struct slice key)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < key.length; i++)
        h = (h ^ (unsigned char)key.text[i]) * 1099511628211u;
    return (uint32_t)((h ^ h >> 29) * 0xff51afd7ed558ccdu >> 32);
}

static bool is_key(const struct data_member *member, struct slice key, uint32_t hash)
{
    return member->hash == hash && member->key_length == key.length &&
           (key.length == 0 || memcmp(member->key, key.text, key.length) == 0);
}

/* The place of a key, or the free one where it belongs. */
static uint32_t *place_of(const struct members *members, struct slice key, uint32_t hash)
{
    size_t mask = members->place_count - 1, at = hash & mask;
    while (members->places[at] && !is_key(members->items[members->places[at] - 1], key, hash))
        at = (at + 1) & mask;
    return &members->places[at];
}

struct data_member *data_member(const struct datum *array, struct slice key)
{
    const struct members *members = array->members;
    uint32_t number = members ? *place_of(members, key, hash_of(key)) : 0;
    return number ? members->items[number - 1] : NULL;
}

static void grow_places(struct data *d, struct members *members)
{
    size_t count = members->place_count ? 2 * members->place_count : 8;
    data_deallocate(d, members->places, members->place_count * sizeof *members->places);
    members->places = data_allocate(d, count * sizeof *members->places);
    members->place_count = count;
    for (size_t i = 0; i < members->count; i++) {
        size_t at = members->items[i]->hash & (count - 1);
        while (members->places[at])
            at = (at + 1) & (count - 1);
        members->places[at] = (uint32_t)i + 1;
    }
}

static struct data_member *add_member(struct data *d, struct members *members, struct slice key)
{
    if (members->count == UINT32_MAX)
        BUG("an array with more than %u members", UINT32_MAX);
    if (3 * (members->count + 1) > 2 * members->place_count)
        grow_places(d, members);
    members->items = data_grow(d, members->items, &members->capacity, members->count + 1,
                               sizeof *members->items);
    struct data_member *member = data_allocate(d, sizeof *member + key.length);
    member->hash = hash_of(key);
    member->key_length = (uint32_t)key.length;
    if (key.length > 0)
        memcpy(member->key, key.text, key.length);
    *place_of(members, key, member->hash) = (uint32_t)members->count + 1;
    return members->items[members->count++] = member;
}

struct data_member *data_member_open(struct data *d, struct datum *array, struct slice key)
{
    struct data_member *member = data_member(array, key);
    if (!array->members)
        array->members = data_allocate(d, sizeof *array->members);
    return member ? member : add_member(d, array->members, key);
}

/* Gives a key its value, and tells those who wait for it. */
static void fill_member(struct data *d, struct datum *array, struct data_member *member,
                        const struct balance_value *value, bool row)
{
    struct wait *waits = member->waits;
    member->value = data_keep(d, value);
    member->present = true;
    member->row = row;
    array->members->present++;
    data_answer_all(d, waits);
}

void data_close_members(struct data *d, struct datum *array)
{
    struct members *members = array->members;
    for (size_t i = 0; members && i < members->count; i++) {
        struct data_member *member = members->items[i];
        if (member->row) {
            struct balance_value value = data_view(&member->value);
            data_count(d, balance_data_id(&value, 0), (struct data_counts){.writers = -1});
        } else if (!member->present) {
            struct wait *waits = member->waits;
            member->waits = NULL;
            data_answer_all(d, waits);
        }
    }
}

void data_free_members(struct data *d, struct datum *array)
{
    struct members *members = array->members;
    if (!members)
        return;
    for (size_t i = 0; i < members->count; i++) {
        struct data_member *member = members->items[i];
        if (member->present)
            data_unkeep(d, &member->value);
        else
            data_waits_free(member->waits);
        data_deallocate(d, member, sizeof *member + member->key_length);
    }
    data_deallocate(d, members->items, members->capacity * sizeof *members->items);
    data_deallocate(d, members->places, members->place_count * sizeof *members->places);
    data_deallocate(d, members, sizeof *members);
}

void data_free_bag(struct data *d, struct datum *datum)
{
    struct bag *bag = &datum->bag;
    for (size_t i = 0; i < bag->count; i++)
        data_unkeep(d, &bag->items[i]);
    data_deallocate(d, bag->items, bag->capacity * sizeof *bag->items);
}

/* ---- paths ---- */

/* A value on its way to its member, and how far it has come. */
struct path {
    uint64_t id; /* of the datum where it starts */
    const struct slice *keys;
    size_t key_count;
    size_t at;
    struct datum *datum; /* in which keys[at] is looked up; NULL: there is none */
};

/* Reports a fault with this many keys. Returns false. */
static bool fail(struct data *d, const struct path *path, enum balance_fault_reason reason,
                 size_t key_count)
{
    struct balance_fault fault = {.reason = reason,
                                  .id = path->id,
                                  .label = path->datum ? path->datum->label : 0,
                                  .keys = path->keys,
                                  .key_count = key_count};
    data_tell_fault(d, &fault);
    return false;
}

static struct datum *make_row(struct data *d, struct datum *array, struct data_member *member,
                              enum balance_kind kind)
{
    uint64_t id = (uint64_t)d->server->rank << DATA_RANK_SHIFT | ++d->made;
    struct data_counts counts = {.references = 1, .writers = 1};
    struct datum *row = data_make(d, id, kind, array->label, counts);
    struct balance_value value = {.ids = &id, .id_count = 1};
    fill_member(d, array, member, &value, true);
    return row;
}

/* The row under a key; NULL: its references were miscounted. */
static struct datum *row_of(const struct data *d, const struct data_member *member)
{
    struct balance_value value = data_view(&member->value);
    return data_find(d, balance_data_id(&value, 0));
}

/* Goes one step, to the row of this kind; false if that is impossible. */
static bool enter_row(struct data *d, struct path *path, enum balance_kind kind)
{
    size_t depth = path->at + 1;
    struct data_member *member = data_member_open(d, path->datum, path->keys[path->at]);
    if (member->present && !member->row)
        return fail(d, path, BALANCE_FAULT_TWICE, depth);
    struct datum *row = member->row ? row_of(d, member) : make_row(d, path->datum, member, kind);
    enum balance_fault_reason reason;
    if (data_refuses(row, kind, &reason))
        return fail(d, path, reason, depth);
    path->datum = row;
    path->at = depth;
    return true;
}

/* Goes to the datum of this kind in which the last `rest` keys are looked up; false: impossible. */
static bool follow(struct data *d, struct path *path, enum balance_kind kind, size_t rest)
{
    size_t rows = path->key_count - rest;
    enum balance_fault_reason reason;
    path->datum = data_find(d, path->id);
    if (data_refuses(path->datum, rows > 0 ? BALANCE_ARRAY : kind, &reason))
        return fail(d, path, reason, path->key_count);
    while (path->at < rows)
        if (!enter_row(d, path, path->at + 1 < rows ? BALANCE_ARRAY : kind))
            return false;
    return true;
}

void data_insert(struct data *d, uint64_t id, const struct slice *keys, size_t key_count,
                 const struct balance_value *value)
{
    struct path path = {.id = id, .keys = keys, .key_count = key_count};
    if (key_count == 0)
        BUG("an insert without a key");
    if (follow(d, &path, BALANCE_ARRAY, 1)) {
        struct data_member *member = data_member_open(d, path.datum, keys[key_count - 1]);
        if (!member->present) {
            fill_member(d, path.datum, member, value, false);
            return;
        }
        fail(d, &path, BALANCE_FAULT_TWICE, key_count);
    }
    data_drop_value(d, value);
}

void data_append(struct data *d, uint64_t id, const struct slice *keys, size_t key_count,
                 const struct balance_value *value)
{
    struct path path = {.id = id, .keys = keys, .key_count = key_count};
    if (!follow(d, &path, BALANCE_BAG, 0)) {
        data_drop_value(d, value);
        return;
    }
    struct bag *bag = &path.datum->bag;
    bag->items = data_grow(d, bag->items, &bag->capacity, bag->count + 1, sizeof *bag->items);
    bag->items[bag->count++] = data_keep(d, value);
}
