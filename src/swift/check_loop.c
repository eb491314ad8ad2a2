/* check_loop.c - foreach, for and iterate. */
#include "swift/check_private.h"

/* Opens the scope of a loop, in which its variables are declared. */
static void open_loop(struct check *c, const struct block *block)
{
    c->scope = scope_create(c->arena, c->scope);
    c->block = block;
}

/* Goes back to where the loop stands. */
static void close_loop(struct check *c, const struct block *around)
{
    c->scope = scope_parent(c->scope);
    c->block = around;
}

/* ---- foreach ---- */

static const struct type *check_container(struct check *c, struct expression *e)
{
    const struct type *type = type_base(check_settled(c, e));
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_BAG || type->kind == TYPE_WRONG)
        return type;
    return check_wrong(c, e->at,
                       "foreach needs an array, a bag or a range such as [1:10], but this has type "
                       "%s",
                       check_type_text(c, type));
}

static const struct type *check_loop_key(struct check *c, const struct statement *s,
                                         const struct type *container)
{
    if (container->kind == TYPE_BAG)
        return check_wrong(c, s->index_at, "the members of a bag have no keys: leave out %s",
                           check_text(c, s->index));
    return container->kind == TYPE_ARRAY ? container->key : container;
}

void check_foreach(struct check *c, struct statement *s)
{
    const struct block *around = c->block;
    const struct type *container = check_container(c, s->values[0]);
    const struct type *member = container->kind == TYPE_WRONG ? container : container->member;
    check_loop_annotations(c, s);
    open_loop(c, s->blocks[0]);
    s->variable = check_declare(c, s->name_at, s->name, VARIABLE_LOOP, member);
    if (s->index.length > 0)
        s->index_variable =
            check_declare(c, s->index_at, s->index, VARIABLE_LOOP, check_loop_key(c, s, container));
    check_statements(c, s->blocks[0]);
    close_loop(c, around);
}

/* ---- for ---- */

/* The type of a loop variable; if it was declared before, sets `outer`. */
static const struct type *check_loop_type(struct check *c, struct loop_variable *v)
{
    if (v->type)
        return check_declared_type(c, check_type(c, v->type), v->dimensions, v->dimension_count);
    v->outer = check_variable(c, v->name);
    const char *name = check_text(c, v->name);
    if (!v->outer)
        return check_wrong(c, v->at, "variable %s is not declared: declare it here, as in int %s",
                           name, name);
    if (v->outer->type->kind == TYPE_WRONG || !check_assignable(c, v->at, v->outer))
        return check_simple(c, TYPE_WRONG);
    return v->outer->type;
}

/* A value that a loop variable gets. */
static void check_loop_value(struct check *c, const struct loop_variable *v,
                             const struct type *type, struct expression *value)
{
    const struct type *from = check_value(c, value);
    if (type_fits(from, type))
        check_settle(c, value, type);
    else
        check_wrong(c, value->at,
                    "cannot assign to %s: it has type %s, but the value has type %s%s",
                    check_text(c, v->name), check_type_text(c, type), check_type_text(c, from),
                    check_conversion(c, from, type));
}

static const struct type *check_start(struct check *c, struct loop_variable *v)
{
    const struct type *type = check_loop_type(c, v);
    check_loop_value(c, v, type, v->initial);
    if (!type_is(type, TYPE_BAG) && !type_is(type, TYPE_UPDATEABLE))
        return type;
    return check_wrong(c, v->at, "a loop variable cannot have type %s", check_type_text(c, type));
}

/* In the body, a variable from outside of the loop is another one, which cannot be assigned. */
static void declare_loop_variable(struct check *c, struct loop_variable *v, const struct type *type)
{
    struct meaning before = scope_find_here(c->scope, v->name);
    if (before.kind != MEANING_NONE) {
        check_wrong(c, v->at, "loop variable %s is initialised twice", check_text(c, v->name));
        v->variable = before.variable;
    } else if (v->type) {
        v->variable = check_declare(c, v->at, v->name, VARIABLE_LOOP, type);
    } else {
        v->variable = check_add_variable(c, v->at, v->name, VARIABLE_LOOP, type);
    }
}

static void check_loop_variables(struct check *c, struct statement *s)
{
    const struct type **types = memory_new(s->loop_variable_count + 1, sizeof *types);
    for (size_t i = 0; i < s->loop_variable_count; i++)
        types[i] = check_start(c, &s->loop_variables[i]);
    open_loop(c, s->blocks[0]);
    for (size_t i = 0; i < s->loop_variable_count; i++)
        declare_loop_variable(c, &s->loop_variables[i], types[i]);
    free(types);
}

static void check_stray_update(struct check *c, const struct loop_update *update)
{
    struct meaning meaning = scope_find_here(c->scope, update->name);
    if (meaning.kind == MEANING_VARIABLE)
        check_wrong(c, update->at, "loop variable %s is updated twice",
                    check_text(c, update->name));
    else
        check_wrong(c, update->at, "%s is not a loop variable: give it a first value in the `for`",
                    check_text(c, update->name));
}

/* Updates see what the body declares. */
static void check_updates(struct check *c, struct statement *s)
{
    for (size_t i = 0; i < s->loop_variable_count; i++) {
        struct loop_variable *v = &s->loop_variables[i];
        if (v->update)
            check_loop_value(c, v, v->variable->type, v->update);
        else if (v->variable->at == v->at) /* not another of the same name */
            check_wrong(c, v->at, "loop variable %s must be updated between iterations",
                        check_text(c, v->name));
    }
}

void check_for(struct check *c, struct statement *s)
{
    const struct block *around = c->block;
    check_loop_annotations(c, s);
    check_loop_variables(c, s);
    check_condition(c, s->condition, "a for loop", true);
    for (size_t i = 0; i < s->stray_update_count; i++)
        check_stray_update(c, &s->stray_updates[i]);
    open_loop(c, s->blocks[0]);
    check_statements(c, s->blocks[0]);
    check_updates(c, s);
    close_loop(c, around);
    c->scope = scope_parent(c->scope);
}

/* ---- iterate ---- */

void check_iterate(struct check *c, struct statement *s)
{
    const struct block *around = c->block;
    open_loop(c, s->blocks[0]);
    s->variable = check_declare(c, s->name_at, s->name, VARIABLE_LOOP, check_simple(c, TYPE_INT));
    check_statements(c, s->blocks[0]);
    check_condition(c, s->condition, "an iterate loop", false); /* it sees the body's variables */
    close_loop(c, around);
}
