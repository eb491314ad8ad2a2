/* Points: conditions, forbidden points, defaults, the order of parents and children. */
#include "space/space.h"

#include "tap.h"

#define NO_DEFAULT .fallback = NAN

static struct value optimizers[] = {
    {.kind = VALUE_STRING, .text = "sgd"},
    {.kind = VALUE_STRING, .text = "adam"},
    {.kind = VALUE_STRING, .text = "rmsprop"},
};
static struct value switches[] = {
    {.kind = VALUE_BOOL, .text = "true"},
    {.kind = VALUE_BOOL, .text = "false"},
};
static const double sgd[] = {0}, sgd_or_rmsprop[] = {0, 2}, on[] = {0}, three[] = {3};

static struct clause when_nesterov[] = {{.parameter = 1, .values = on, .count = 1}};
static struct clause when_momentum[] = {{.parameter = 3, .values = sgd_or_rmsprop, .count = 2}};
static struct clause when_both[] = {
    {.parameter = 3, .values = sgd, .count = 1},
    {.parameter = 4, .values = three, .count = 1},
};

/* Children stand before their parents: damping <- nesterov <- optimizer. */
static struct parameter parameters[] = {
    {.name = "damping",
     .kind = PARAMETER_FLOAT,
     .low = 0,
     .high = 1,
     .when = when_nesterov,
     .when_count = 1,
     NO_DEFAULT},
    {.name = "nesterov",
     .kind = PARAMETER_CHOICE,
     .values = switches,
     .value_count = 2,
     .when = when_momentum,
     .when_count = 1,
     NO_DEFAULT},
    {.name = "decay",
     .kind = PARAMETER_FLOAT,
     .low = 0,
     .high = 1,
     .when = when_both,
     .when_count = 2,
     NO_DEFAULT},
    {.name = "optimizer",
     .kind = PARAMETER_CHOICE,
     .values = optimizers,
     .value_count = 3,
     NO_DEFAULT},
    {.name = "layers", .kind = PARAMETER_INT, .low = 1, .high = 4, NO_DEFAULT},
};
enum { DAMPING, NESTEROV, DECAY, OPTIMIZER, LAYERS, COUNT };

static struct clause no_deep_adam[] = {
    {.parameter = OPTIMIZER, .values = (double[]){1}, .count = 1},
    {.parameter = LAYERS, .values = (double[]){3, 4}, .count = 2},
};
static struct forbidden forbidden[] = {{.clauses = no_deep_adam, .count = 2}};

static struct space space = {
    .parameters = parameters, .count = COUNT, .forbidden = forbidden, .forbidden_count = 1};

static void conditions(void)
{
    static const struct {
        const char *name;
        double optimizer, nesterov, layers;
        bool has_nesterov, has_damping, has_decay;
    } cases[] = {
        {"all conditions hold", 0.1, 0.1, 0.6, true, true, true},
        {"a grandchild goes with its parent", 0.5, 0.1, 0.6, false, false, false},
        {"a child without the grandchild", 0.1, 0.9, 0.6, true, false, true},
        {"one of two values is enough", 0.9, 0.1, 0.6, true, true, false},
        {"both of two parents must hold", 0.1, 0.1, 0.1, true, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double units[COUNT], point[COUNT], again[COUNT];
        for (size_t k = 0; k < COUNT; k++)
            units[k] = 0.25;
        units[OPTIMIZER] = cases[i].optimizer;
        units[NESTEROV] = cases[i].nesterov;
        units[LAYERS] = cases[i].layers;
        space_point(&space, units, point);
        ok(isnan(point[NESTEROV]) == !cases[i].has_nesterov &&
               isnan(point[DAMPING]) == !cases[i].has_damping &&
               isnan(point[DECAY]) == !cases[i].has_decay,
           "%s", cases[i].name);
        for (size_t k = 0; k < COUNT; k++)
            again[k] = space_at(&parameters[k], units[k]);
        ok(!space_same(&space, point, again) || (cases[i].has_damping && cases[i].has_decay),
           "%s: a point with more values is another one", cases[i].name);
        space_deactivate(&space, again);
        ok(space_same(&space, point, again), "%s: space_deactivate() agrees", cases[i].name);
    }
}

static void order(void)
{
    size_t places[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        places[space.order[i]] = i;
    ok(places[OPTIMIZER] < places[NESTEROV] && places[NESTEROV] < places[DAMPING] &&
           places[OPTIMIZER] < places[DECAY] && places[LAYERS] < places[DECAY],
       "parents come before their children");
    ok(space_find(&space, "layers") == &parameters[LAYERS] && !space_find(&space, "layer"),
       "a parameter is found by its whole name");
}

static void circles(void)
{
    struct clause when[] = {
        {.parameter = 1, .values = on, .count = 1},
        {.parameter = 2, .values = on, .count = 1},
        {.parameter = 1, .values = on, .count = 1},
    };
    struct parameter ring[] = {
        {.name = "tail", .kind = PARAMETER_INT, .high = 1, .when = &when[0], .when_count = 1},
        {.name = "a", .kind = PARAMETER_INT, .high = 1, .when = &when[1], .when_count = 1},
        {.name = "b", .kind = PARAMETER_INT, .high = 1, .when = &when[2], .when_count = 1},
    };
    struct space rings = {.parameters = ring, .count = 3};
    struct arena arena = {0};
    size_t circle = 0;
    ok(space_finish(&rings, &arena, &circle) == ERR_USER, "a circle of conditions is found");
    ok(circle == 1 || circle == 2, "the parameter that is named lies on the circle");
    space_free(&rings);
    arena_free(&arena);
}

static void forbidden_points(void)
{
    double allowed[COUNT] = {NAN, NAN, NAN, 1, 2}, deep[COUNT] = {NAN, NAN, NAN, 1, 3};
    double other[COUNT] = {NAN, 1, NAN, 2, 3}, inactive[COUNT] = {NAN, NAN, NAN, NAN, 3};
    ok(space_allowed(&space, allowed), "one clause alone forbids nothing");
    ok(!space_allowed(&space, deep), "all clauses together forbid");
    ok(space_allowed(&space, other), "another value is allowed");
    ok(space_allowed(&space, inactive), "what is not active is not forbidden");
}

static void defaults(void)
{
    double point[COUNT];
    ok(!space_default(&space, point), "without a default there is no default point");
    parameters[LAYERS].fallback = 2;
    ok(space_default(&space, point), "one default is enough");
    ok(point[LAYERS] == 2 && point[OPTIMIZER] == 0 && point[NESTEROV] == 0 &&
           point[DAMPING] == 0.5 && isnan(point[DECAY]),
       "others are the first value or the middle, and conditions hold");
    parameters[OPTIMIZER].fallback = 1;
    parameters[LAYERS].fallback = 3;
    ok(!space_default(&space, point), "a forbidden default point is none");
}

int main(void)
{
    struct arena arena = {0};
    size_t circle;
    ok(space_finish(&space, &arena, &circle) == 0, "the space is complete");
    order();
    conditions();
    circles();
    forbidden_points();
    defaults();
    space_free(&space);
    arena_free(&arena);
    return tap_end();
}
