/* lower_free.c - which variables a function or loop takes from its surroundings. */
#include "swift/lower.h"

void variable_set_add(struct variable_set *set, struct variable *variable)
{
    if (variable_set_has(set, variable))
        return;
    set->items = memory_grow(set->items, &set->capacity, set->count + 1, sizeof(void *));
    set->items[set->count++] = variable;
}

bool variable_set_has(const struct variable_set *set, const struct variable *variable)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == variable)
            return true;
    return false;
}

void uses_free(struct uses *uses)
{
    free(uses->read.items);
    free(uses->written.items);
}

size_t lower_number(const struct lowering *l, const struct script_function *function)
{
    struct slice position = {(const char *)&function->at, sizeof function->at};
    int64_t number = map_find(&l->numbers, position);
    return number == MAP_NONE ? SIZE_MAX : (size_t)number;
}

/* ---- what a part of the tree names ---- */

static void use(struct uses *uses, struct variable *variable, bool writes)
{
    if (variable && variable->kind != VARIABLE_CONSTANT)
        variable_set_add(writes ? &uses->written : &uses->read, variable);
}

static void uses_of_many(struct uses *uses, struct expression *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        uses_of_expression(uses, items[i]);
}

static void uses_of_annotations(struct uses *uses, const struct annotations *annotations)
{
    for (size_t i = 0; i < annotations->count; i++)
        if (annotations->items[i].value)
            uses_of_expression(uses, annotations->items[i].value);
}

static void uses_of_call(struct uses *uses, const struct call *call)
{
    uses_of_many(uses, call->arguments, call->argument_count);
    uses_of_annotations(uses, &call->annotations);
    size_t number = call->function ? lower_number(uses->lowering, call->function) : SIZE_MAX;
    if (number == SIZE_MAX)
        return;
    const struct variable_set *globals = &uses->lowering->globals[number];
    for (size_t i = 0; i < globals->count; i++)
        use(uses, globals->items[i], false);
}

void uses_of_expression(struct uses *uses, const struct expression *e)
{
    if (e->kind == EXPRESSION_NAME)
        use(uses, e->variable, false);
    else if (e->kind == EXPRESSION_CALL)
        uses_of_call(uses, e->call);
    else
        uses_of_many(uses, e->items, e->count);
}

/* The variable at the root of a target, and the expressions in its brackets. */
static void uses_of_target(struct uses *uses, const struct expression *target)
{
    while (target->kind == EXPRESSION_INDEX || target->kind == EXPRESSION_FIELD) {
        if (target->kind == EXPRESSION_INDEX)
            uses_of_expression(uses, target->items[1]);
        target = target->items[0];
    }
    use(uses, target->variable, true);
}

static void uses_of_block(struct uses *uses, const struct block *block)
{
    for (size_t i = 0; block && i < block->count; i++)
        uses_of_statement(uses, block->statements[i]);
}

static void uses_of_declarators(struct uses *uses, const struct statement *s)
{
    for (size_t i = 0; i < s->declarator_count; i++) {
        const struct declarator *d = &s->declarators[i];
        use(uses, d->variable, true);
        if (d->mapping)
            uses_of_expression(uses, d->mapping);
        if (d->value)
            uses_of_expression(uses, d->value);
    }
}

static void uses_of_loop(struct uses *uses, const struct statement *s)
{
    for (size_t i = 0; i < s->loop_variable_count; i++) {
        const struct loop_variable *v = &s->loop_variables[i];
        use(uses, v->outer, true);
        if (v->initial)
            uses_of_expression(uses, v->initial);
        if (v->update)
            uses_of_expression(uses, v->update);
    }
    if (s->condition)
        uses_of_expression(uses, s->condition);
}

void uses_of_statement(struct uses *uses, const struct statement *s)
{
    for (; s; s = s->kind == STATEMENT_CHAIN ? s->right : NULL) {
        if (s->kind == STATEMENT_CHAIN) {
            uses_of_statement(uses, s->left);
            continue;
        }
        for (size_t i = 0; i < s->target_count; i++)
            uses_of_target(uses, s->targets[i]);
        uses_of_many(uses, s->values, s->value_count);
        uses_of_declarators(uses, s);
        uses_of_loop(uses, s);
        for (size_t i = 0; i < 2; i++)
            uses_of_block(uses, s->blocks[i]);
        for (size_t i = 0; i < s->case_count; i++)
            uses_of_block(uses, s->cases[i].block);
    }
}

/* ---- what functions use of the top level ---- */

static void uses_of_function(struct uses *uses, const struct script_function *f)
{
    uses_of_block(uses, f->body);
    uses_of_many(uses, f->words, f->word_count);
    for (size_t i = 0; i < REDIRECTIONS; i++)
        if (f->redirections[i])
            uses_of_expression(uses, f->redirections[i]);
}

/* Adds what this function uses, as far as it is known; true if that was more than before. */
static bool widen(struct lowering *l, size_t number)
{
    struct uses uses = {.lowering = l};
    struct variable_set *globals = &l->globals[number];
    size_t before = globals->count;
    uses_of_function(&uses, l->checked->functions[number]);
    for (size_t i = 0; i < uses.read.count; i++)
        if (!uses.read.items[i]->function)
            variable_set_add(globals, uses.read.items[i]);
    uses_free(&uses);
    return globals->count > before;
}

/* A function uses what those use that it calls: repeated until nothing is added. */
void lower_globals(struct lowering *l)
{
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < l->checked->function_count; i++)
            if (l->checked->functions[i]->kind != FUNCTION_LEAF)
                more |= widen(l, i);
    }
}
