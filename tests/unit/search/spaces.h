/* spaces.h - spaces of every kind, built by hand, for the tests of this room. */
#ifndef TESTS_SEARCH_SPACES_H
#define TESTS_SEARCH_SPACES_H

#include "space/space.h"

#include <math.h>

enum { MOST = 8 }; /* parameters of the spaces below */

struct fixture {
    struct arena arena;
    struct parameter parameters[MOST];
    struct forbidden forbidden[MOST];
    struct space space;
};

static struct parameter *add(struct fixture *f, const char *name, enum parameter_kind kind)
{
    struct parameter *parameter = &f->parameters[f->space.count++];
    *parameter = (struct parameter){.name = name, .kind = kind, .fallback = NAN};
    return parameter;
}

static struct parameter *add_range(struct fixture *f, const char *name, enum parameter_kind kind,
                                   double low, double high)
{
    struct parameter *parameter = add(f, name, kind);
    parameter->low = low;
    parameter->high = high;
    return parameter;
}

/* A choice, an ordered list or a constant: its values are the texts 0, 1, 2 ... */
static struct parameter *add_values(struct fixture *f, const char *name, enum parameter_kind kind,
                                    size_t count)
{
    struct parameter *parameter = add(f, name, kind);
    parameter->values = arena_new(&f->arena, count, sizeof *parameter->values);
    parameter->value_count = count;
    for (size_t i = 0; i < count; i++)
        parameter->values[i] =
            (struct value){.kind = VALUE_STRING, .text = arena_printf(&f->arena, "%zu", i)};
    return parameter;
}

static struct clause clause_of(struct fixture *f, size_t parent, double a, double b)
{
    double *values = arena_new(&f->arena, 2, sizeof *values);
    values[0] = a;
    values[1] = b;
    return (struct clause){.parameter = parent, .values = values, .count = 2};
}

/* The parameter needs the parent to be a or b. */
static void add_when(struct fixture *f, struct parameter *child, size_t parent, double a, double b)
{
    if (!child->when)
        child->when = arena_new(&f->arena, MOST, sizeof *child->when);
    child->when[child->when_count++] = clause_of(f, parent, a, b);
}

/* Not: one parameter is a or b while the other is c or d. */
static void add_forbidden(struct fixture *f, struct clause one, struct clause other)
{
    struct forbidden *forbidden = &f->forbidden[f->space.forbidden_count++];
    forbidden->clauses = arena_new(&f->arena, 2, sizeof *forbidden->clauses);
    forbidden->count = 2;
    forbidden->clauses[0] = one;
    forbidden->clauses[1] = other;
}

static void build_floats(struct fixture *f)
{
    add_range(f, "a", PARAMETER_FLOAT, 1e-5, 1e-1)->log = true;
    add_range(f, "b", PARAMETER_FLOAT, 0, 0.5);
    add_range(f, "c", PARAMETER_FLOAT, -5, 10);
    add_range(f, "d", PARAMETER_FLOAT, 0, 1);
}

static void build_mixed(struct fixture *f)
{
    add_range(f, "rate", PARAMETER_FLOAT, 1e-5, 1e-1)->log = true;
    add_range(f, "units", PARAMETER_INT, 16, 1024)->log = true;
    add_values(f, "batch", PARAMETER_ORDERED, 5);
    add_values(f, "epochs", PARAMETER_CONSTANT, 1);
    add_range(f, "layers", PARAMETER_INT, 1, 6);
}

static void build_finite(struct fixture *f)
{
    add_range(f, "layers", PARAMETER_INT, 1, 5);
    add_values(f, "activation", PARAMETER_CHOICE, 3);
    add_values(f, "epochs", PARAMETER_CONSTANT, 1);
    add_range(f, "dropout", PARAMETER_FLOAT, 0, 0.3)->step = 0.1;
    add_range(f, "units", PARAMETER_INT, 2, 8)->step = 3;
}

static void build_finite_default(struct fixture *f)
{
    build_finite(f);
    f->parameters[3].fallback = 0.2;
}

/* optimizer 0 has momentum, and that has nesterov for its last values; the others have beta. */
static void build_conditional(struct fixture *f)
{
    add_values(f, "optimizer", PARAMETER_CHOICE, 3);
    add_when(f, add_values(f, "momentum", PARAMETER_ORDERED, 4), 0, 0, 0);
    add_when(f, add_range(f, "beta", PARAMETER_INT, 1, 3), 0, 1, 2);
    add_range(f, "layers", PARAMETER_INT, 1, 4);
    add_when(f, add_values(f, "nesterov", PARAMETER_CHOICE, 2), 1, 2, 3);
}

static void build_conditional_default(struct fixture *f)
{
    build_conditional(f);
    f->parameters[0].fallback = 2;
}

/* Children before their parents in the file, and a child of two parents with one of its own. */
static void build_two_parents(struct fixture *f)
{
    add_when(f, add_range(f, "grandchild", PARAMETER_INT, 0, 2), 1, 4, 5);
    add_range(f, "child", PARAMETER_INT, 3, 6);
    add_when(f, &f->parameters[1], 2, 1, 1);
    add_when(f, &f->parameters[1], 3, 10, 30);
    add_values(f, "mother", PARAMETER_CHOICE, 3);
    add_range(f, "father", PARAMETER_INT, 10, 30)->step = 10;
}

static void build_conditional_floats(struct fixture *f)
{
    add_values(f, "optimizer", PARAMETER_CHOICE, 2);
    add_range(f, "rate", PARAMETER_FLOAT, 1e-5, 1e-1)->log = true;
    add_when(f, add_range(f, "momentum", PARAMETER_FLOAT, 0.5, 0.99), 0, 0, 0);
    f->parameters[1].fallback = 1e-3;
}

static void build_forbidden(struct fixture *f)
{
    add_values(f, "a", PARAMETER_CHOICE, 4);
    add_range(f, "b", PARAMETER_INT, 1, 4);
    add_when(f, add_values(f, "c", PARAMETER_CHOICE, 3), 0, 2, 3);
    add_forbidden(f, clause_of(f, 0, 1, 2), clause_of(f, 1, 3, 4));
    add_forbidden(f, clause_of(f, 2, 0, 0), clause_of(f, 1, 1, 1));
}

static void build_forbidden_floats(struct fixture *f)
{
    add_range(f, "rate", PARAMETER_FLOAT, 0, 1);
    add_values(f, "a", PARAMETER_CHOICE, 3);
    add_values(f, "b", PARAMETER_CHOICE, 3);
    add_forbidden(f, clause_of(f, 1, 0, 1), clause_of(f, 2, 1, 2));
}

/* `points` is the number of different allowed points, 0: no end of them. */
static const struct fixture_case {
    const char *name;
    void (*build)(struct fixture *f);
    size_t points;
} fixture_cases[] = {
    {"floats", build_floats, 0},
    {"mixed", build_mixed, 0},
    {"finite", build_finite, 5 * 3 * 4 * 3},
    {"finite with a default", build_finite_default, 5 * 3 * 4 * 3},
    {"conditional", build_conditional, ((1 + 1 + 2 + 2) + 3 + 3) * 4},
    {"conditional with a default", build_conditional_default, ((1 + 1 + 2 + 2) + 3 + 3) * 4},
    {"two parents", build_two_parents, 2 * (1 + 3 + 3 + 1) + 1 + 3 + 3},
    {"conditional floats with a default", build_conditional_floats, 0},
    {"forbidden", build_forbidden, 4 + 2 + (2 + 3) + (2 + 3 + 3 + 3)},
    {"forbidden floats", build_forbidden_floats, 0},
};

enum { FIXTURES = sizeof fixture_cases / sizeof *fixture_cases };

static void fixture_open(struct fixture *f, void (*build)(struct fixture *f))
{
    size_t circle;
    *f = (struct fixture){0};
    f->space.parameters = f->parameters;
    f->space.forbidden = f->forbidden;
    build(f);
    if (space_finish(&f->space, &f->arena, &circle))
        BUG("a circle in a space of the tests");
}

static void fixture_close(struct fixture *f)
{
    space_free(&f->space);
    arena_free(&f->arena);
}

/* True when no two of the points are the same. */
__attribute__((unused)) static bool all_differ(const struct space *space, double (*points)[MOST],
                                               size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (space_same(space, points[i], points[j]))
                return false;
    return true;
}

/* True when it is a point of the space: inside its ranges, right parameters active, allowed. */
__attribute__((unused)) static bool is_proper(const struct space *space, const double *point)
{
    double copy[MOST];
    memcpy(copy, point, space->count * sizeof *copy);
    space_deactivate(space, copy);
    if (!space_same(space, copy, point) || !space_allowed(space, point))
        return false;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        bool range = parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT;
        double low = range ? parameter->low : 0;
        double high = range ? parameter->high : (double)parameter->value_count - 1;
        if (isnan(point[i]) ? parameter->when_count == 0 : point[i] < low || point[i] > high)
            return false;
    }
    return true;
}

#endif
