/* Every algorithm keeps the constraints of a space; totals and empty spaces respect them, too. */
#include "search/search.h"

#include "spaces.h"
#include "tap.h"

/* Adds a constraint to an open fixture. */
static void constrain(struct fixture *f, struct expression **constraints, const char *text)
{
    struct err e = {0};
    size_t offset;
    struct expression *expression =
        expression_compile(&f->space, NULL, text, &f->arena, &offset, &e);
    if (!expression)
        printf("# %s: %s\n", text, e.message);
    f->space.constraints = constraints;
    constraints[f->space.constraint_count++] = expression;
}

static void build_network(struct fixture *f)
{
    add_range(f, "layers", PARAMETER_INT, 1, 8);
    add_range(f, "width", PARAMETER_INT, 8, 1024);
    add_range(f, "low", PARAMETER_FLOAT, 0, 1);
    add_range(f, "high", PARAMETER_FLOAT, 0, 1);
    add_values(f, "kind", PARAMETER_CHOICE, 3);
    struct parameter *more = add_range(f, "more", PARAMETER_FLOAT, 0, 1);
    add_when(f, more, 4, 0, 0);
}

static void build_numbers(struct fixture *f)
{
    add_range(f, "a", PARAMETER_INT, 0, 9);
    add_range(f, "b", PARAMETER_INT, 0, 9);
    add_range(f, "c", PARAMETER_INT, 0, 9);
}

/* Asks for points and tells results until the search ends; counts forbidden points. */
static size_t count_wrong(struct search *search, const struct space *space, size_t asks,
                          size_t *given)
{
    size_t wrong = 0;
    double point[MOST];
    for (*given = 0; *given < asks && search_ask(search, point) == SEARCH_POINT; (*given)++) {
        wrong += !space_allowed(space, point);
        struct search_result result = {.good = *given % 7 != 0,
                                       .scores = {point[0] - point[1], point[1]},
                                       .violation = *given % 5 == 0 ? 0.5 : 0};
        search_tell(search, *given, &result);
    }
    return wrong;
}

static void test_every_algorithm(void)
{
    enum { ASKS = 40 };
    for (const char *const *name = search_names(); *name; name++)
        for (size_t objectives = 1; objectives <= 2; objectives++) {
            struct fixture f;
            struct expression *constraints[MOST];
            struct search_settings settings = {.algorithm = *name,
                                               .seed = 1,
                                               .trials = ASKS,
                                               .levels = 3,
                                               .objectives = objectives};
            fixture_open(&f, build_network);
            constrain(&f, constraints, "layers * width <= 1024");
            constrain(&f, constraints, "low < high");
            constrain(&f, constraints, "kind != '1' or more > 0.5 or layers > 2");
            settings.levels = 4;
            struct search *search = search_create(&settings, &f.space);
            size_t given, wrong = count_wrong(search, &f.space, ASKS, &given);
            ok(wrong == 0 && given == ASKS, "%s, %zu scores: %zu points keep the constraints",
               *name, objectives, given);
            search_free(search);
            fixture_close(&f);
        }
}

static void test_totals(void)
{
    static const struct {
        const char *algorithm;
    } cases[] = {{"grid"}, {"random"}};
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        struct expression *constraints[MOST];
        struct search_settings settings = {.algorithm = cases[i].algorithm, .seed = 3};
        fixture_open(&f, build_numbers);
        constrain(&f, constraints, "a + b + c == 9");
        struct search *search = search_create(&settings, &f.space);
        ok(search_total(search) == 55, "%s: 55 ways to make a sum of 9", cases[i].algorithm);
        size_t given, wrong = count_wrong(search, &f.space, 1000, &given);
        ok(wrong == 0 && given == 55, "%s: gives each of them once", cases[i].algorithm);
        search_free(search);
        fixture_close(&f);
    }
}

static void test_empty(void)
{
    struct fixture f;
    struct expression *constraints[MOST];
    fixture_open(&f, build_numbers);
    constrain(&f, constraints, "a + b + c == 27");
    ok(search_has_point(&f.space), "one point of a thousand is found");
    constrain(&f, constraints, "a < 9");
    ok(!search_has_point(&f.space), "and that there is none");
    fixture_close(&f);
    fixture_open(&f, build_network);
    constrain(&f, constraints, "low > 0.99 and high < 0.01");
    ok(search_has_point(&f.space), "so is a ten-thousandth of a space of floats");
    constrain(&f, constraints, "high > low");
    ok(!search_has_point(&f.space), "and that it is empty");
    fixture_close(&f);
}

int main(void)
{
    test_every_algorithm();
    test_totals();
    test_empty();
    return tap_end();
}
