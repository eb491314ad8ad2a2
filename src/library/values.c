/* values.c - the key-value space: the caller waits for the answer to each request. */
#include "library/handle.h"

/* ---- answers ---- */

/* Copies what lives only during the call. */
static void answered(void *self, const struct balance_store_answer *answer)
{
    struct wick *w = self;
    w->reply = *answer;
    w->awake = true;
    w->value_bytes = memory_grow(w->value_bytes, &w->value_capacity, answer->length, 1);
    if (answer->length > 0)
        memcpy(w->value_bytes, answer->bytes, answer->length);
    if (*answer->message)
        err_set(&w->error, answer->state == BALANCE_STORE_FULL ? WICK_FULL : WICK_MISUSE, "%s",
                answer->message);
}

static void listed(void *self, const struct balance_store_answer *answer)
{
    struct wick *w = self;
    answered(w, answer);
    free(w->items);
    arena_free(&w->keys);
    w->items = memory_new(answer->count, sizeof *w->items);
    for (size_t i = 0; i < answer->count; i++) {
        const struct balance_store_item *item = &answer->items[i];
        w->items[i].key = arena_copy(&w->keys, item->key.text, item->key.length);
        w->items[i].version = item->version;
        w->items[i].length = item->size;
    }
}

/* Starts a request; 0 if it can be made. */
static int begin(struct wick *w, const char *key)
{
    int code = handle_enter(w);
    if (code != 0)
        return code;
    if (!key)
        return err_set(&w->error, WICK_MISUSE, "a key is NULL");
    balance_flush(w->client);
    w->awake = false;
    return 0;
}

static int await(struct wick *w)
{
    comm_mpi_wait(w->comm, &w->awake);
    switch (w->reply.state) {
    case BALANCE_STORE_OK: return 0;
    case BALANCE_STORE_ABSENT: return WICK_ABSENT;
    case BALANCE_STORE_CONFLICT: return WICK_CONFLICT;
    default: return w->error.code;
    }
}

static int await_value(struct wick *w, struct wick_value *value)
{
    int code = await(w);
    if (code == 0)
        *value = (struct wick_value){w->value_bytes, w->reply.length, w->reply.version};
    return code;
}

/* ---- requests ---- */

int wick_store_put(struct wick *w, const char *key, const void *bytes, size_t length,
                   uint64_t expected, uint64_t *version)
{
    int code = begin(w, key);
    if (code != 0)
        return code;
    if (!bytes && length > 0)
        return err_set(&w->error, WICK_MISUSE,
                       "a value of %zu bytes has no bytes: the pointer is NULL", length);
    balance_store_put(balance_store(w->client), slice_of(key), bytes, length, expected, answered,
                      w);
    code = await(w);
    if (version && code >= 0)
        *version = w->reply.version;
    return code;
}

int wick_store_get(struct wick *w, const char *key, struct wick_value *value)
{
    int code = begin(w, key);
    if (code != 0)
        return code;
    balance_store_get(balance_store(w->client), slice_of(key), answered, w);
    return await_value(w, value);
}

int wick_store_wait(struct wick *w, const char *key, uint64_t known, struct wick_value *value)
{
    int code = begin(w, key);
    if (code != 0)
        return code;
    balance_store_wait(balance_store(w->client), slice_of(key), known, answered, w);
    return await_value(w, value);
}

int wick_store_delete(struct wick *w, const char *key)
{
    int code = begin(w, key);
    if (code != 0)
        return code;
    balance_store_delete(balance_store(w->client), slice_of(key), answered, w);
    return await(w);
}

int wick_store_list(struct wick *w, const char *prefix, const struct wick_item **items,
                    size_t *count)
{
    int code = begin(w, prefix);
    if (code != 0)
        return code;
    balance_store_list(balance_store(w->client), slice_of(prefix), listed, w);
    if ((code = await(w)) != 0)
        return code;
    *items = w->items;
    *count = w->reply.count;
    return 0;
}
