/* past.c - points and their results, as learning algorithms see them. */
#include "search/past.h"

#include <math.h>

void past_init(struct past *h, const struct space *space, size_t objectives)
{
    *h = (struct past){.space = space, .width = space->count, .objectives = objectives};
}

void past_free(struct past *h)
{
    free(h->points);
    free(h->scores);
    free(h->violations);
    free(h->states);
    free(h->told);
    free(h->running);
    free(h->places);
    free(h->hashes);
}

/* ---- the set of points ---- */

static uint64_t mix(uint64_t bits)
{
    bits ^= bits >> 31;
    bits *= UINT64_C(0x7fb5d329728ea185);
    bits ^= bits >> 27;
    bits *= UINT64_C(0x81dadef4bc2dd44d);
    return bits ^ (bits >> 33);
}

/* The hash of a point; never 0, which marks a free place. */
static uint64_t hash_point(const struct past *h, const double *point)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < h->width; i++) {
        double value = isnan(point[i]) ? NAN : point[i] + 0.0; /* only one NaN, and no -0 */
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = mix(hash * UINT64_C(0x9e3779b97f4a7c15) + bits);
    }
    return hash | 1;
}

/* The place of a hash, or the free place where it belongs. */
static size_t place_of(const struct past *h, uint64_t hash)
{
    size_t at = (size_t)(hash >> 1) & (h->hash_capacity - 1);
    while (h->hashes[at] != 0 && h->hashes[at] != hash)
        at = (at + 1) & (h->hash_capacity - 1);
    return at;
}

static void remember(struct past *h, const double *point)
{
    if (h->hash_capacity < 2 * (h->hash_count + 1)) {
        uint64_t *old = h->hashes;
        size_t old_capacity = h->hash_capacity;
        h->hash_capacity = old_capacity ? 4 * old_capacity : 64;
        h->hashes = memory_new(h->hash_capacity, sizeof *h->hashes);
        for (size_t i = 0; i < old_capacity; i++)
            if (old[i])
                h->hashes[place_of(h, old[i])] = old[i];
        free(old);
    }
    uint64_t hash = hash_point(h, point);
    size_t place = place_of(h, hash);
    h->hash_count += h->hashes[place] == 0;
    h->hashes[place] = hash;
}

/* Points with the same hash count as the same: with 64 bits that is wrong once in 10^9 searches. */
bool past_has(const struct past *h, const double *point)
{
    return h->hash_capacity > 0 && h->hashes[place_of(h, hash_point(h, point))] != 0;
}

/* ---- entries ---- */

/* Makes room for one more entry in an array; all these arrays have the same capacity. */
static void *grow(const struct past *h, void *items, size_t size)
{
    size_t capacity = h->capacity;
    return memory_grow(items, &capacity, h->count + 1, size);
}

static void make_room(struct past *h)
{
    h->points = grow(h, h->points, h->width * sizeof *h->points);
    h->scores = grow(h, h->scores, h->objectives * sizeof *h->scores);
    h->violations = grow(h, h->violations, sizeof *h->violations);
    h->states = grow(h, h->states, sizeof *h->states);
    h->told = grow(h, h->told, sizeof *h->told);
    h->places = grow(h, h->places, sizeof *h->places);
    h->running = memory_grow(h->running, &h->capacity, h->count + 1, sizeof *h->running);
}

static void start_running(struct past *h, size_t entry)
{
    h->states[entry] = PAST_RUNNING;
    h->places[entry] = (uint32_t)h->running_count;
    h->running[h->running_count++] = (uint32_t)entry;
}

size_t past_add(struct past *h, const double *point)
{
    make_room(h);
    remember(h, point);
    size_t entry = h->count++;
    memcpy(h->points + entry * h->width, point, h->width * sizeof *point);
    for (size_t i = 0; i < h->objectives; i++)
        h->scores[entry * h->objectives + i] = NAN;
    h->violations[entry] = 0;
    start_running(h, entry);
    return entry;
}

/* Moves the last running entry into the gap: on resume all run, so searching would be slow. */
static void stop_running(struct past *h, size_t entry)
{
    if (h->states[entry] != PAST_RUNNING)
        BUG("entry %zu does not run", entry);
    uint32_t last = h->running[--h->running_count], place = h->places[entry];
    h->running[place] = last;
    h->places[last] = place;
}

void past_tell(struct past *h, size_t entry, const struct search_result *result,
               const bool *maximize)
{
    bool good = result->good;
    for (size_t i = 0; i < h->objectives; i++)
        good = good && isfinite(result->scores[i]);
    for (size_t i = 0; good && i < h->objectives; i++)
        h->scores[entry * h->objectives + i] = maximize[i] ? -result->scores[i] : result->scores[i];
    stop_running(h, entry);
    h->violations[entry] = good ? result->violation : 0;
    h->states[entry] = good ? PAST_GOOD : PAST_FAILED;
    h->told[h->told_count++] = (uint32_t)entry;
    h->good_count += good;
}

void past_retract(struct past *h, size_t entry)
{
    size_t at = h->told_count;
    while (at > 0 && h->told[at - 1] != entry)
        at--;
    if (at == 0)
        BUG("entry %zu has no result", entry);
    memmove(h->told + at - 1, h->told + at, (h->told_count - at) * sizeof *h->told);
    h->told_count--;
    h->good_count -= h->states[entry] == PAST_GOOD;
    for (size_t i = 0; i < h->objectives; i++)
        h->scores[entry * h->objectives + i] = NAN;
    h->violations[entry] = 0;
    start_running(h, entry);
}

void past_drop(struct past *h)
{
    stop_running(h, --h->count);
}

static int compare_entries(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

uint32_t *past_running(const struct past *h)
{
    uint32_t *running = memory_new(h->running_count, sizeof *running);
    for (size_t i = 0; i < h->running_count; i++)
        running[i] = h->running[i];
    qsort(running, h->running_count, sizeof *running, compare_entries);
    return running;
}

/* ---- targets ---- */

struct range {
    double low, high;
};

static bool is_valid(const struct past *h, size_t entry)
{
    return h->states[entry] == PAST_GOOD && h->violations[entry] <= 0;
}

/* The range of an objective over all entries that have scores. */
static struct range range_of(const struct past *h, size_t objective)
{
    struct range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < h->told_count; i++) {
        if (h->states[h->told[i]] != PAST_GOOD)
            continue;
        double score = h->scores[h->told[i] * h->objectives + objective];
        range.low = fmin(range.low, score);
        range.high = fmax(range.high, score);
    }
    return range;
}

static void scalarise(const struct past *h, struct random *random, double *targets)
{
    double weights[SEARCH_OBJECTIVES], sum = 0;
    struct range ranges[SEARCH_OBJECTIVES];
    for (size_t i = 0; i < h->objectives; i++) {
        weights[i] = -log(1 - random_unit(random)); /* uniform on the simplex */
        sum += weights[i];
        ranges[i] = range_of(h, i);
    }
    for (size_t k = 0; k < h->told_count; k++) {
        const double *scores = h->scores + h->told[k] * h->objectives;
        double largest = 0, all = 0;
        for (size_t i = 0; i < h->objectives; i++) {
            double span = ranges[i].high - ranges[i].low;
            double part = weights[i] / sum * (span > 0 ? (scores[i] - ranges[i].low) / span : 0);
            largest = fmax(largest, part);
            all += part;
        }
        targets[k] = largest + 0.05 * all;
    }
}

/* Moves points that violate constraints behind those that do not, and failures to the end. */
static void punish(const struct past *h, double *targets)
{
    struct range valid = {INFINITY, -INFINITY};
    double violation = 0;
    for (size_t k = 0; k < h->told_count; k++) {
        violation = fmax(violation, h->violations[h->told[k]]);
        if (!is_valid(h, h->told[k]))
            continue;
        valid.low = fmin(valid.low, targets[k]);
        valid.high = fmax(valid.high, targets[k]);
    }
    if (valid.low > valid.high)
        valid = (struct range){0, 0};
    double span = valid.high > valid.low ? valid.high - valid.low : 1;
    double worst = valid.high;
    for (size_t k = 0; k < h->told_count; k++)
        if (h->states[h->told[k]] == PAST_GOOD && !is_valid(h, h->told[k])) {
            targets[k] = valid.high + span * h->violations[h->told[k]] / violation;
            worst = fmax(worst, targets[k]);
        }
    for (size_t k = 0; k < h->told_count; k++)
        if (h->states[h->told[k]] != PAST_GOOD)
            targets[k] = worst;
}

void past_targets(const struct past *h, struct random *random, double *targets)
{
    if (h->objectives > 1)
        scalarise(h, random, targets);
    else
        for (size_t k = 0; k < h->told_count; k++)
            targets[k] = h->scores[h->told[k]];
    punish(h, targets);
}

int64_t past_best(const struct past *h)
{
    int64_t best = -1;
    double best_sum = 0;
    for (size_t k = 0; k < h->told_count; k++) {
        size_t entry = h->told[k];
        double sum = 0;
        for (size_t i = 0; i < h->objectives; i++)
            sum += h->scores[entry * h->objectives + i];
        if (is_valid(h, entry) && (best < 0 || sum < best_sum)) {
            best = (int64_t)entry;
            best_sum = sum;
        }
    }
    return best;
}
