/* outside.c - points that are offered are suggested, in order, until there are no more. */
#include "search/search.h"
#include "tap.h"

int main(void)
{
    struct parameter x = {.name = "x", .kind = PARAMETER_FLOAT, .high = 1, .fallback = 0.5};
    struct space space = {.parameters = &x, .count = 1};
    struct arena arena = {0};
    struct search_settings settings = {.algorithm = "outside"};
    struct err e = {0};
    double point;
    size_t circle;
    space_finish(&space, &arena, &circle);
    ok(search_check(&settings, &space, &e) == 0, "it needs nothing");
    bool listed = false;
    for (const char *const *name = search_names(); *name; name++)
        listed = listed || strcmp(*name, "outside") == 0;
    ok(!listed, "but nobody can name it");
    struct search *search = search_create(&settings, &space);
    ok(search_ask(search, &point) == SEARCH_WAIT, "without an offer it waits: no default point");
    for (int round = 0; round < 3; round++) {
        search_offer(search, &(double){0.25});
        search_offer(search, &(double){0.75});
        ok(search_offered(search) == 2, "two offers");
        ok(search_ask(search, &point) == SEARCH_POINT && point == 0.25, "the first");
        ok(search_ask(search, &point) == SEARCH_POINT && point == 0.75, "the second");
        ok(search_ask(search, &point) == SEARCH_WAIT, "and no other");
    }
    ok(search_asked(search) == 6, "all are counted");
    search_offer(search, &(double){1});
    search_close(search);
    ok(search_ask(search, &point) == SEARCH_POINT && point == 1, "the last is still given");
    ok(search_ask(search, &point) == SEARCH_END, "then it is over");
    ok(isinf(search_total(search)), "how many there are is not known");
    search_free(search);
    space_free(&space);
    arena_free(&arena);
    return tap_end();
}
