/* Constraints: whether they hold at a point, by how much they are broken, and every mistake. */
#include "space/space.h"

#include "tap.h"

enum { WIDTH, LAYERS, BATCH, OPTIMIZER, MOMENTUM, DASHED, FIXED, PARAMETERS };

static const char *const metrics[] = {"loss", "memory_mb", "val/loss", NULL};

static struct value sizes[] = {{.kind = VALUE_NUMBER, .text = "16", .number = 16},
                               {.kind = VALUE_NUMBER, .text = "64", .number = 64}};
static struct value optimizers[] = {{.kind = VALUE_STRING, .text = "sgd"},
                                    {.kind = VALUE_STRING, .text = "adam"}};
static struct value fixed[] = {{.kind = VALUE_NUMBER, .text = "7", .number = 7}};

static struct parameter parameters[PARAMETERS] = {
    {.name = "width", .kind = PARAMETER_INT, .low = 1, .high = 1000},
    {.name = "layers", .kind = PARAMETER_INT, .low = 1, .high = 10},
    {.name = "batch", .kind = PARAMETER_ORDERED, .values = sizes, .value_count = 2},
    {.name = "optimizer", .kind = PARAMETER_CHOICE, .values = optimizers, .value_count = 2},
    {.name = "momentum", .kind = PARAMETER_FLOAT, .low = 0, .high = 1},
    {.name = "min-lr", .kind = PARAMETER_FLOAT, .low = 0, .high = 1},
    {.name = "fixed", .kind = PARAMETER_CONSTANT, .values = fixed, .value_count = 1},
};

static struct space space = {.parameters = parameters, .count = PARAMETERS};

/* width 100, layers 4, batch 64, optimizer sgd, momentum 0.9, min-lr 0.5 */
static const double point[PARAMETERS] = {100, 4, 1, 0, 0.9, 0.5, 0};
static const double measured[] = {0.25, 9000, 0.5};

static const struct {
    const char *text;
    double broken; /* 0: it holds */
} truths[] = {
    {"width * layers <= 400", 0},
    {"width * layers < 400", 1e-9},
    {"width * layers <= 200", 0.5},
    {"width + 2 * layers == 108", 0},
    {"(width + 2) * layers == 408", 0},
    {"width - 2 - 3 == 95", 0},
    {"width / layers / 5 == 5", 0},
    {"2 ^ 3 ^ 2 == 2 * 256 * width / 100", 0},
    {"-layers ^ 2 == -16", 0},
    {"2 ** -1 * layers == 2", 0},
    {"layers - -1 == 5", 0},
    {"layers > 4", 1e-9},
    {"layers >= 4", 0},
    {"layers != 4", 1},
    {"layers != 5", 0},
    {"width < 50", 0.5},
    {"width > 400", 0.75},
    {"1e2 == width and .5e1 > layers", 0},
    {"width < 50 and layers < 2", 1},
    {"width < 50 or layers > 16", 0.5},
    {"width < 50 or layers > 5 or layers == 4", 0},
    {"not width < 50", 0},
    {"not width > 50", 0.5},
    {"not (width > 50 and layers < 2)", 0},
    {"not (width > 50 or layers < 2)", 0.5},
    {"not not width > 50", 0},
    {"not (not (width < 50))", 0.5},
    {"batch == 64", 0},
    {"batch / 2 > 31", 0},
    {"batch == '64'", 0},
    {"'16' == batch", 1},
    {"optimizer == 'sgd'", 0},
    {"optimizer == \"adam\"", 1},
    {"not optimizer == 'adam'", 0},
    {"optimizer != 'sgd' or momentum < 0.95", 0},
    {"'sgd' != optimizer", 1},
    {"fixed * 2 == 14", 0},
    {"min-lr < momentum", 0},
    {"min-lr-momentum < 0", 0},
    {"log(exp(layers)) == 4 and log2(layers) == 2 and log10(width) == 2", 0},
    {"sqrt(layers) == 2 and abs(-layers) == 4", 0},
    {"floor(momentum) == 0 and ceil(momentum) == 1", 0},
    {"min(width, layers, 3) == 3 and max(width, 3) == 100", 0},
    {"log(-width) < 3", 1},
    {"not log(-width) < 3", 1},
    {"max(log(-width), 3) == 3", 1},
    {"width / (layers - 4) > 3", 0},
    {"memory_mb <= 8000", 1.0 / 9},
    {"memory_mb <= 90 * width", 0},
    {"val/loss > loss", 0},
    {"val/loss < loss", 0.5},
};

static void test_truths(struct arena *arena)
{
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        struct err e = {0};
        size_t offset;
        struct expression *expression =
            expression_compile(&space, metrics, truths[i].text, arena, &offset, &e);
        if (!ok(expression != NULL, "%s: compiles", truths[i].text)) {
            printf("# at %zu: %s\n", offset, e.message);
            continue;
        }
        is_near(expression_broken(expression, point, measured), truths[i].broken, 1e-12,
                truths[i].text);
        is_text(expression_text(expression), truths[i].text, "its text is kept");
    }
}

static const struct {
    const char *text;
    size_t offset;
    const char *message;
} mistakes[] = {
    {"", 0, "a number or a name is missing at the end"},
    {"width <", 7, "a number or a name is missing at the end"},
    {"width", 5, "a comparison is missing, as in layers * width <= 4096"},
    {"width * 2", 9, "a comparison is missing, as in layers * width <= 4096"},
    {"1 < 2", 0, "this names no parameter or metric, so it is always the same"},
    {"widht < 2", 0, "unknown name 'widht': did you mean 'width'?"},
    {"power < 2", 0,
     "unknown name 'power': it is neither a parameter nor a metric of 'model', as in metrics: "
     "[power]"},
    {"memory_md < 2", 0, "unknown name 'memory_md': did you mean 'memory_mb'?"},
    {"optimizer == sgd", 13,
     "'sgd' is a value of 'optimizer': put it in quotes, as in optimizer == 'sgd'"},
    {"optimizer == 'adm'", 13, "'adm' is not a value of 'optimizer': did you mean 'adam'?"},
    {"optimizer == 'zzzzzz'", 13,
     "'zzzzzz' is not a value of 'optimizer': it has values such as 'sgd'"},
    {"optimizer < 'sgd'", 12, "text can only be compared with == or !="},
    {"width == 'a'", 9, "this is text, but '==' needs a number"},
    {"optimizer * 2 < 3", 0, "'optimizer' has values that are not numbers, but '*' needs a number"},
    {"(width < 2) + 1 < 3", 0, "this is true or false, but '+' needs a number"},
    {"width < 2 < 3", 10, "a comparison has two sides: write a < b and b < c for a < b < c"},
    {"(width < 2", 0, "this bracket is never closed"},
    {"width < 2)", 9, "this bracket was never opened"},
    {"width < 2 and layers", 14, "'and' needs a comparison on both sides, as in a < b and c > 0"},
    {"not width", 4, "'not' needs a comparison, as in not (a < b)"},
    {"width = 2", 6, "'=' is written == here"},
    {"width < 2 && layers < 3", 10, "'&&' is written and here"},
    {"width < 2 || layers < 3", 10, "'||' is written or here"},
    {"width ≤ 2", 6, "'≤' is written <= here"},
    {"width < 2 layers", 10, "an operator is expected here, such as + * <= and"},
    {"width < 2x", 8, "the number ends before 'x': an operator such as * is missing"},
    {"width < 1.2.3", 8, "this is not a number"},
    {"width < 'a", 8, "this quote ' is never closed"},
    {"log(width, 2) < 3", 0, "'log' takes one number"},
    {"min(width) < 3", 0, "'min' takes two numbers or more"},
    {"min(width, 2 < 3", 13, "')' is missing after the numbers of 'min'"},
    {"min(width < 2, 3) < 3", 10, "')' is missing after the numbers of 'min'"},
    {"width < #", 8, "a number or a name is expected here, not '#'"},
};

static void test_mistakes(struct arena *arena)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct err e = {0};
        size_t offset = 0;
        ok(!expression_compile(&space, metrics, mistakes[i].text, arena, &offset, &e),
           "%s: is refused", mistakes[i].text);
        is_text(e.message, mistakes[i].message, "with its reason");
        if (!ok(offset == mistakes[i].offset, "at its place"))
            printf("# got %zu, expected %zu\n", offset, mistakes[i].offset);
    }
}

static void test_limits(struct arena *arena)
{
    struct str text = {0};
    struct err e = {0};
    size_t offset;
    for (int i = 0; i < 40; i++)
        str_add(&text, "(");
    str_add(&text, "width < 1");
    ok(!expression_compile(&space, NULL, text.text, arena, &offset, &e) &&
           strstr(e.message, "too deeply"),
       "brackets in brackets have an end");
    str_clear(&text);
    e = (struct err){0};
    str_add(&text, "width");
    while (text.length <= EXPRESSION_BYTES)
        str_add(&text, " + 1");
    str_add(&text, " < 3");
    ok(!expression_compile(&space, NULL, text.text, arena, &offset, &e) &&
           strstr(e.message, "more than 1000 bytes"),
       "and so has the text");
    str_clear(&text);
    e = (struct err){0};
    for (int i = 0; i < 30; i++)
        str_add(&text, "1 + (");
    str_add(&text, "width");
    for (int i = 0; i < 30; i++)
        str_add(&text, ")");
    str_add(&text, " <= 130");
    struct expression *deep = expression_compile(&space, NULL, text.text, arena, &offset, &e);
    ok(deep && expression_broken(deep, point, NULL) == 0, "a deep one that is allowed is right");
    str_free(&text);
}

static void test_inactive(struct arena *arena)
{
    struct err e = {0};
    size_t offset;
    double off[PARAMETERS];
    memcpy(off, point, sizeof off);
    off[MOMENTUM] = NAN;
    struct expression *expression =
        expression_compile(&space, metrics, "momentum < 0.1 and width < 1", arena, &offset, &e);
    ok(expression_broken(expression, point, NULL) > 0, "with an active parameter it is broken");
    ok(expression_broken(expression, off, NULL) == 0, "without, it holds");
    ok(!expression_is_measured(expression), "it needs no trial");
    expression = expression_compile(&space, metrics, "loss < width", arena, &offset, &e);
    ok(expression_is_measured(expression) && expression_names_metric(expression, 0) &&
           !expression_names_metric(expression, 1),
       "one that names a metric does");
    expression = expression_compile(&space, NULL, "width <= 99", arena, &offset, &e);
    space.constraints = &expression;
    space.constraint_count = 1;
    ok(!space_allowed(&space, point), "a space does not allow what breaks a constraint");
    memcpy(off, point, sizeof off);
    off[WIDTH] = 99;
    ok(space_allowed(&space, off), "and allows what keeps it");
    space.constraint_count = 0;
}

int main(void)
{
    struct arena arena = {0};
    size_t circle;
    space_finish(&space, &arena, &circle);
    test_truths(&arena);
    test_mistakes(&arena);
    test_limits(&arena);
    test_inactive(&arena);
    space_free(&space);
    arena_free(&arena);
    return tap_end();
}
