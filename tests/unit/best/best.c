/* best.c - the best results so far, with one objective and with several. */
#include "best/best.h"
#include "tap.h"

#include <math.h>

/* The IDs of the best, in order. */
static void describe(const struct best *best, struct str *out)
{
    str_clear(out);
    for (size_t i = 0; i < best->count; i++)
        str_printf(out, "%s%llu", i ? " " : "", (unsigned long long)best->items[i].id);
}

static void test_one(void)
{
    static const double scores[] = {3, 5, 2, 2, 4};
    struct str ids = {0};
    for (int maximize = 0; maximize < 2; maximize++) {
        bool up = maximize;
        struct best best;
        best_init(&best, 1, &up, 1, false);
        for (size_t i = 0; i < 5; i++)
            best_add(&best, i + 1, &scores[i], &scores[i]);
        describe(&best, &ids);
        is_text(ids.text, up ? "2" : "3", up ? "the largest" : "the first of the smallest");
        ok(best_point(&best, 0)[0] == (up ? 5 : 2), "with its point");
        best_free(&best);
    }
    str_free(&ids);
}

static void test_two(void)
{
    /* minimize the first, maximize the second */
    static const bool maximize[] = {false, true};
    static const struct {
        double scores[2];
        const char *front, *name;
    } steps[] = {
        {{5, 5}, "1", "the first"},
        {{6, 4}, "1", "worse in both"},
        {{5, 5}, "1", "the same again"},
        {{4, 3}, "4 1", "better in one"},
        {{9, 9}, "4 1 5", "better in the other"},
        {{4, 5}, "6 5", "better than two of them"},
        {{1, 10}, "7", "better than all"},
    };
    struct str ids = {0};
    struct best best;
    best_init(&best, 2, maximize, 2, false);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        bool is_new = i != 1 && i != 2;
        ok(best_add(&best, i + 1, steps[i].scores, steps[i].scores) == is_new,
           "it says whether it took it");
        describe(&best, &ids);
        is_text(ids.text, steps[i].front, steps[i].name);
        ok(best_point(&best, best.count - 1)[0] == best.items[best.count - 1].scores[0],
           "each with its point");
    }
    best_free(&best);
    str_free(&ids);
}

/* A trial that continues loses its score, and the best of the others takes its place. */
static void test_forgotten(void)
{
    static const double scores[] = {3, 1, 2, 2};
    static const bool up = false;
    double worse = 9;
    struct best best;
    best_init(&best, 1, &up, 0, true);
    ok(best_id(&best) == 0 && isnan(best_score(&best)), "without a result there is no best");
    for (size_t i = 0; i < 4; i++)
        best_add(&best, i + 1, &scores[i], NULL);
    ok(best_id(&best) == 2 && best_has(&best, 2), "the smallest is the best");
    best_forget(&best, 1);
    ok(best_id(&best) == 2, "one that is not the best is forgotten, and the best stays");
    best_forget(&best, 2);
    ok(best_id(&best) == 3 && best_score(&best) == 2, "the first of the next best takes over");
    best_add(&best, 2, &worse, NULL);
    best_forget(&best, 3);
    best_forget(&best, 4);
    ok(best_id(&best) == 2 && best_score(&best) == 9, "a new result counts, and no old one does");
    best_forget(&best, 2);
    ok(best_id(&best) == 0 && !best_has(&best, 2), "in the end none is left");
    best_free(&best);
}

int main(void)
{
    test_forgotten();
    test_one();
    test_two();
    return tap_end();
}
