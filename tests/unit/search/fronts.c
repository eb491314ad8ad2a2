/* Sorting by domination, compared with the definition. */
#include "search/fronts.h"
#include "num/num.h"
#include "tap.h"

#include <stdlib.h>

/* Removes front after front, as the definition says. */
static size_t rank_slowly(const double *scores, size_t objectives, size_t count, uint32_t *ranks)
{
    uint32_t front = 0;
    size_t left = count;
    for (size_t i = 0; i < count; i++)
        ranks[i] = UINT32_MAX;
    for (; left > 0; front++)
        for (size_t i = 0; i < count; i++) {
            bool dominated = ranks[i] < front;
            for (size_t j = 0; j < count && !dominated; j++)
                dominated = ranks[j] >= front && num_dominates(scores + j * objectives,
                                                               scores + i * objectives, objectives);
            if (!dominated && ranks[i] == UINT32_MAX) {
                ranks[i] = front;
                left--;
            }
        }
    return front;
}

/* Each objective has `values` different scores: a small number makes many ties. */
static void test_against_definition(size_t objectives, size_t count, uint64_t values)
{
    double *scores = memory_new(count * objectives, sizeof *scores);
    uint32_t *fast = memory_new(count, sizeof *fast), *slow = memory_new(count, sizeof *slow);
    struct random random;
    bool same = true;
    random_seed(&random, objectives, count);
    for (int times = 0; times < 20; times++) {
        for (size_t i = 0; i < count * objectives; i++)
            scores[i] = (double)random_below(&random, values) - 3;
        size_t fronts = fronts_rank(scores, objectives, count, fast);
        same = same && fronts == rank_slowly(scores, objectives, count, slow) &&
               memcmp(fast, slow, count * sizeof *fast) == 0;
    }
    ok(same, "%d objectives, %d results, %d values: fronts as defined", (int)objectives, (int)count,
       (int)values);
    free(scores);
    free(fast);
    free(slow);
}

static void test_domination(void)
{
    static const struct {
        double one[2], other[2];
        bool expected;
        const char *name;
    } cases[] = {
        {{1, 1}, {2, 2}, true, "better in both"},
        {{1, 1}, {1, 2}, true, "better in one, equal in the other"},
        {{1, 1}, {1, 1}, false, "equal"},
        {{1, 2}, {2, 1}, false, "each better in one"},
        {{2, 2}, {1, 1}, false, "worse"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(num_dominates(cases[i].one, cases[i].other, 2) == cases[i].expected, "domination: %s",
           cases[i].name);
}

static void test_crowding(void)
{
    static const double scores[] = {0, 4, 9, 9, 1, 3, 2, 1, 4, 0};
    static const uint32_t members[] = {4, 0, 3, 2};
    double distances[4];
    fronts_crowding(scores, 2, members, 4, distances);
    ok(isinf(distances[0]) && isinf(distances[1]), "the ends of a front are lonely");
    is_near(distances[2], 3 / 4.0 + 3 / 4.0, 1e-12, "a gap in both objectives");
    is_near(distances[3], 2 / 4.0 + 3 / 4.0, 1e-12, "a smaller gap");
    static const double wide[] = {-1e308, 1e308, 0, 0, 1e308, -1e308};
    static const uint32_t all[] = {0, 1, 2};
    fronts_crowding(wide, 2, all, 3, distances);
    is_near(distances[1], 2, 1e-12, "ranges that no double holds");
    static const double equal[] = {5, 5, 5};
    fronts_crowding(equal, 1, all, 3, distances);
    is_near(distances[1], 0, 0, "equal results are crowded");
}

static void test_many(void)
{
    enum { MANY = 10000 };
    static double scores[MANY * 2];
    static uint32_t ranks[MANY];
    for (size_t i = 0; i < MANY; i++) {
        scores[2 * i] = (double)i;
        scores[2 * i + 1] = (double)i;
    }
    ok(fronts_rank(scores, 2, MANY, ranks) == MANY && ranks[MANY - 1] == MANY - 1,
       "10,000 results in as many fronts");
    for (size_t i = 0; i < MANY; i++)
        scores[2 * i + 1] = -(double)i;
    ok(fronts_rank(scores, 2, MANY, ranks) == 1, "10,000 results in one front");
}

int main(void)
{
    test_domination();
    for (size_t objectives = 1; objectives <= 5; objectives++)
        for (uint64_t values = 2; values <= 1000; values *= 8)
            test_against_definition(objectives, 60, values);
    test_against_definition(2, 1, 5);
    test_against_definition(8, 40, 3);
    test_crowding();
    test_many();
    return tap_end();
}
