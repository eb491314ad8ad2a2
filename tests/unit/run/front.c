/* front.c - the best results so far, with one objective and with several. */
#include "run/front.h"
#include "tap.h"

/* The ids of the front, in its order. */
static void describe(const struct front *front, struct str *out)
{
    str_clear(out);
    for (size_t i = 0; i < front->count; i++)
        str_printf(out, "%s%llu", i ? " " : "", (unsigned long long)front->items[i].id);
}

static void test_one(void)
{
    static const double scores[] = {3, 5, 2, 2, 4};
    struct str ids = {0};
    for (int maximize = 0; maximize < 2; maximize++) {
        bool up = maximize;
        struct front front;
        front_init(&front, 1, 1, &up);
        for (size_t i = 0; i < 5; i++)
            front_add(&front, i + 1, &scores[i], &scores[i]);
        describe(&front, &ids);
        is_text(ids.text, up ? "2" : "3", up ? "the largest" : "the first of the smallest");
        ok(front_point(&front, 0)[0] == (up ? 5 : 2), "with its point");
        front_free(&front);
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
    struct front front;
    front_init(&front, 2, 2, maximize);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        bool is_new = i != 1 && i != 2;
        ok(front_add(&front, i + 1, steps[i].scores, steps[i].scores) == is_new,
           "it says whether it took it");
        describe(&front, &ids);
        is_text(ids.text, steps[i].front, steps[i].name);
        ok(front_point(&front, front.count - 1)[0] == front.items[front.count - 1].scores[0],
           "each with its point");
    }
    front_free(&front);
    str_free(&ids);
}

int main(void)
{
    test_one();
    test_two();
    return tap_end();
}
