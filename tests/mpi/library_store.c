/* library_store.c - the C library: values by key, with versions, waits and limits. */
#include "base/base.h"
#include "library/wick.h"
#include "tap.h"

enum { KEYS = 50, BIG = 300000, ROUNDS = 100 };

static struct wick *w;

static bool has(const char *key, const char *text, uint64_t version)
{
    struct wick_value value;
    return wick_store_get(w, key, &value) == 0 && value.version == version &&
           value.length == strlen(text) && !memcmp(value.bytes, text, value.length);
}

static int put(const char *key, const char *text, uint64_t expected, uint64_t *version)
{
    return wick_store_put(w, key, text, strlen(text), expected, version);
}

static void versions(void)
{
    struct wick_value value;
    uint64_t version = 0;
    ok(wick_store_get(w, "a", &value) == WICK_ABSENT, "what was never put is absent");
    ok(put("a", "one", WICK_NEW, &version) == 0 && version == 1, "a first put");
    ok(has("a", "one", 1), "is there");
    ok(put("a", "two", WICK_NEW, &version) == WICK_CONFLICT && version == 1, "it is not new");
    ok(put("a", "two", 7, &version) == WICK_CONFLICT && version == 1, "nor has it version 7");
    ok(put("a", "two", 1, &version) == 0 && version == 2, "it has version 1");
    ok(put("a", "", WICK_ANY, NULL) == 0 && has("a", "", 3), "a value without bytes");
    ok(wick_store_wait(w, "a", 2, &value) == 0 && value.version == 3, "a wait for what is there");
    ok(wick_store_delete(w, "a") == 0 && wick_store_delete(w, "a") == WICK_ABSENT, "a delete");
    ok(put("a", "x", 3, &version) == WICK_CONFLICT && version == 0, "a conflict with nothing");
    ok(put("a", "again", WICK_NEW, &version) == 0 && version == 4, "versions count on");
}

static void lists(void)
{
    const struct wick_item *items;
    size_t count;
    bool right = true;
    for (int i = KEYS; i-- > 0;) {
        char key[32];
        snprintf(key, sizeof key, "list/%02d", i);
        right &= wick_store_put(w, key, key, (size_t)i % 7, WICK_ANY, NULL) == 0;
    }
    right &= wick_store_list(w, "list/", &items, &count) == 0 && count == KEYS;
    for (size_t i = 0; right && i < count; i++) {
        char key[32];
        snprintf(key, sizeof key, "list/%02zu", i);
        right &= !strcmp(items[i].key, key) && items[i].length == i % 7 && items[i].version == 1;
    }
    ok(right, "a list is whole and sorted");
    ok(wick_store_list(w, "nothing", &items, &count) == 0 && count == 0, "a list of nothing");
    ok(wick_store_list(w, "", &items, &count) == 0 && count > KEYS, "a list of all");
}

static void limits(void)
{
    unsigned char *bytes = memory_new(2 << 20, 1);
    struct wick_value value;
    memset(bytes, 'b', 2 << 20);
    ok(wick_store_put(w, "big", bytes, BIG, WICK_ANY, NULL) == 0 &&
           wick_store_get(w, "big", &value) == 0 && value.length == BIG &&
           !memcmp(value.bytes, bytes, BIG),
       "a large value comes back");
    ok(wick_store_put(w, "big", bytes, 2 << 20, WICK_ANY, NULL) == WICK_FULL &&
           strstr(wick_error(w), "has no memory for this value of 2.0 MiB"),
       "what does not fit is refused: %s", wick_error(w));
    ok(wick_store_get(w, "big", &value) == 0 && value.length == BIG, "the old value stays");
    ok(wick_store_delete(w, "big") == 0, "and goes");
    free(bytes);
}

/* Waits for the next value, which is the number of the round. */
static bool came(const char *key, uint64_t round)
{
    struct wick_value value;
    return wick_store_wait(w, key, round - 1, &value) == 0 && value.version == round &&
           value.length == sizeof round && !memcmp(value.bytes, &round, sizeof round);
}

/* Two clients take turns; the first one begins. */
static void take_turns(bool first)
{
    const char *mine = first ? "ping" : "pong", *theirs = first ? "pong" : "ping";
    bool right = true;
    for (uint64_t round = 1; round <= ROUNDS && right; round++) {
        right &= first || came(theirs, round);
        right &= wick_store_put(w, mine, &round, sizeof round, round == 1 ? WICK_NEW : round - 1,
                                NULL) == 0;
        right &= !first || came(theirs, round);
    }
    ok(right, "client %d waits for the values of another", wick_rank(w));
}

int main(void)
{
    struct wick_options options = {.servers = 2, .memory = 1 << 20};
    struct wick_assignment got;
    struct wick_result result;
    if (!ok(wick_init(&w, &options) == 0, "it begins"))
        return tap_end();
    if (wick_rank(w) == 0) {
        versions();
        lists();
        limits();
        struct wick_task task = {.where = WICK_CLIENT, .target = 1, .answer = 1};
        ok(wick_put(w, &task, NULL) == 0, "a partner is called");
        take_turns(true);
        ok(wick_result(w, 0, &result) == 0, "and is done");
    }
    while (wick_get(w, &got) == 0)
        take_turns(false);
    ok(put("late", "x", WICK_ANY, NULL) == WICK_DONE, "after the end there are no values");
    ok(wick_finalize(w) == 0, "it ends");
    return tap_end();
}
