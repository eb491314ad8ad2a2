/*
 * Any bytes as a constraint: nothing may crash, a mistake lies inside the text and has a message,
 * and an accepted constraint gives an amount of 0 or more at points of all kinds.
 */
#include "space/space.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct value sizes[] = {{.kind = VALUE_NUMBER, .text = "16", .number = 16},
                               {.kind = VALUE_NUMBER, .text = "64", .number = 64}};
static struct value words[] = {{.kind = VALUE_STRING, .text = "sgd"},
                               {.kind = VALUE_STRING, .text = "a'b"}};
static struct parameter parameters[] = {
    {.name = "a", .kind = PARAMETER_INT, .low = -5, .high = 5},
    {.name = "b", .kind = PARAMETER_FLOAT, .low = 0, .high = 1},
    {.name = "c", .kind = PARAMETER_ORDERED, .values = sizes, .value_count = 2},
    {.name = "d", .kind = PARAMETER_CHOICE, .values = words, .value_count = 2},
    {.name = "a-b", .kind = PARAMETER_FLOAT, .low = 0, .high = 1},
};
enum { COUNT = sizeof parameters / sizeof *parameters };

static void evaluate(const struct expression *expression)
{
    static const double points[][COUNT] = {
        {0, 0, 0, 0, 0}, {-5, 1, 1, 1, 1}, {5, 0.5, 0, 1, NAN}, {NAN, NAN, NAN, NAN, NAN}};
    static const double metrics[][2] = {{0, 0}, {NAN, INFINITY}, {-1e300, 1e300}};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++)
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
            if (!(expression_broken(expression, points[p], metrics[m]) >= 0))
                BUG("an amount that is none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const metrics[] = {"m", "v/l", NULL};
    struct space space = {.parameters = parameters, .count = COUNT};
    struct arena arena = {0};
    struct err e = {0};
    size_t offset = 0, circle;
    space_finish(&space, &arena, &circle);
    const char *text = arena_copy(&arena, (const char *)data, size);
    const struct expression *expression =
        expression_compile(&space, metrics, text, &arena, &offset, &e);
    if (expression)
        evaluate(expression);
    else if (e.code != ERR_USER || !e.message[0] || offset > strlen(text))
        BUG("a mistake without its place or its message");
    space_free(&space);
    for (size_t i = 0; i < COUNT; i++)
        parameters[i].value_index = (struct map){0};
    arena_free(&arena);
    return 0;
}
