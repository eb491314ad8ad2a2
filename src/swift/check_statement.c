/* check_statement.c - statements. */
#include "swift/check_private.h"

/* ---- values that are assigned ---- */

/* What is assigned, for messages. */
struct goal {
    const char *name;
    const struct type *type;
    const struct variable *variable; /* NULL: an element or a field */
};

/*
 * A url has no temporary name, so what a command makes needs a mapped one, and there is no copy of
 * a url. True if there was a mistake.
 */
static bool check_url(struct check *c, const struct goal *goal, const struct expression *value)
{
    const struct script_function *maker =
        value->kind == EXPRESSION_CALL ? value->call->function : NULL;
    const struct variable *variable = goal->variable;
    if (!type_is(goal->type, TYPE_URL) || !variable || variable->kind != VARIABLE_LOCAL)
        return false;
    if (maker && maker->kind == FUNCTION_APP && !variable->mapping)
        check_wrong(c, value->at, "url %s needs a mapping to be an output: url %s<\"...\">",
                    goal->name, goal->name);
    else if (variable->mapping && value->kind != EXPRESSION_CALL)
        check_wrong(c, value->at, "url %s is mapped, so no other url can be copied to it",
                    goal->name);
    else
        return false;
    return true;
}

/* Checks that a type can be assigned; `value` is what has it. */
static bool check_goal(struct check *c, const struct goal *goal, const struct type *from,
                       const struct expression *value)
{
    if (goal->type->kind == TYPE_UPDATEABLE) {
        check_wrong(c, value->at,
                    "%s is an updateable_float: change it as in %s <incr> := 1.0, not by =",
                    goal->name, goal->name);
        return false;
    }
    if (type_fits(from, goal->type))
        return !check_url(c, goal, value);
    check_wrong(c, value->at, "cannot assign to %s: it has type %s, but the value has type %s%s",
                goal->name, check_type_text(c, goal->type), check_type_text(c, from),
                check_conversion(c, from, goal->type));
    return false;
}

/* Checks an assignment whose value has been inferred. */
static void check_assigned(struct check *c, const struct goal *goal, struct expression *value)
{
    if (goal->variable && value->kind == EXPRESSION_NAME && value->variable == goal->variable &&
        value->type->kind != TYPE_WRONG)
        check_wrong(c, value->at, "variable %s is assigned to itself", goal->name);
    else if (check_goal(c, goal, value->type, value))
        check_settle(c, value, goal->type);
}

/* ---- declarations ---- */

/* The type before the names. */
static const struct type *declared_base(struct check *c, const struct tree_type *written)
{
    if (written->dimension_count > 0)
        check_warn(c, written->dimensions[0].at,
                   "the brackets of an array stand behind its name: this is taken as an array of "
                   "bags");
    return check_type(c, written);
}

static void check_mapping(struct check *c, struct declarator *d)
{
    struct variable *variable = d->variable;
    const struct type *type = variable->type, *path = check_settled(c, d->mapping);
    variable->mapping = d->mapping;
    if (type->kind != TYPE_WRONG && !type_is(type, TYPE_FILE) && !type_is(type, TYPE_URL))
        check_wrong(c, d->at, "variable %s of type %s cannot be mapped: only a file or a url can",
                    check_text(c, d->name), check_type_text(c, type));
    else if (path->kind != TYPE_WRONG && !type_is(path, TYPE_STRING))
        check_wrong(c, d->mapping->at, "%s is mapped to a path, a string, but this has type %s",
                    check_text(c, d->name), check_type_text(c, path));
}

static bool is_number(const struct expression *e)
{
    if (e->kind == EXPRESSION_UNARY && e->operation == OPERATION_NEGATE)
        e = e->items[0];
    return e->kind == EXPRESSION_INT || e->kind == EXPRESSION_FLOAT;
}

static void check_updateable(struct check *c, struct declarator *d)
{
    const char *name = check_text(c, d->name);
    if (c->chained)
        check_wrong(c, d->at, "updateable_float %s cannot be declared in a chain", name);
    else if (!d->value)
        check_wrong(c, d->at, "updateable_float %s needs a first value: write %s = 0.0", name,
                    name);
    else if (!is_number(d->value))
        check_wrong(c, d->value->at,
                    "the first value of updateable_float %s must be a number, such as 0.0", name);
    else if (check_infer(c, d->value)->open)
        check_settle(c, d->value, check_simple(c, TYPE_FLOAT));
}

static void check_declarator(struct check *c, const struct type *base, struct declarator *d)
{
    const struct type *type = check_declared_type(c, base, d->dimensions, d->dimension_count);
    d->variable = check_declare(c, d->at, d->name, VARIABLE_LOCAL, type);
    if (d->mapping)
        check_mapping(c, d);
    if (type->kind == TYPE_UPDATEABLE) {
        check_updateable(c, d);
    } else if (d->value && check_value(c, d->value)->kind != TYPE_WRONG) {
        struct goal goal = {check_text(c, d->name), type, d->variable};
        check_assigned(c, &goal, d->value);
    }
}

static void check_declaration(struct check *c, struct statement *s)
{
    const struct type *base = declared_base(c, s->type);
    for (size_t i = 0; i < s->declarator_count; i++)
        check_declarator(c, base, &s->declarators[i]);
}

/* ---- targets of assignments ---- */

bool check_assignable(struct check *c, uint32_t at, const struct variable *variable)
{
    static const char *const reasons[] = {[VARIABLE_INPUT] = "it is an input of this function",
                                          [VARIABLE_LOOP] = "it is a loop variable",
                                          [VARIABLE_CONSTANT] = "it is a global constant"};
    const char *reason = NULL;
    if (variable->type->kind == TYPE_WRONG)
        return true; /* it has a mistake that was reported */
    if (variable->kind != VARIABLE_LOCAL && variable->kind != VARIABLE_OUTPUT)
        reason = reasons[variable->kind];
    else if (variable->function != c->function)
        reason = "it belongs to the top level, and functions can only read it";
    if (reason)
        check_wrong(c, at, "assigning variable %s is not permitted here: %s%s",
                    check_text(c, variable->name), reason,
                    check_place(c, "declared", variable->at));
    return !reason;
}

static struct expression *root_of(struct expression *target)
{
    while (target->kind == EXPRESSION_INDEX || target->kind == EXPRESSION_FIELD)
        target = target->items[0];
    return target;
}

/* True if the target is a field, or in a field, of an element of an array. */
static bool is_field_of_element(const struct expression *target)
{
    bool field = false;
    for (; target->kind != EXPRESSION_NAME; target = target->items[0]) {
        if (target->kind == EXPRESSION_INDEX && field)
            return true;
        field |= target->kind == EXPRESSION_FIELD;
    }
    return false;
}

/* The type of a target whose variable exists. */
static const struct type *check_known_target(struct check *c, struct expression *target,
                                             const struct variable *variable)
{
    if (!check_assignable(c, target->at, variable))
        return check_simple(c, TYPE_WRONG);
    if (is_field_of_element(target))
        return check_wrong(c, target->at,
                           "a field of an element of %s cannot be assigned: assign the whole "
                           "element, as in %s[i] = TYPE(...)",
                           check_text(c, variable->name), check_text(c, variable->name));
    return check_infer(c, target);
}

/* True if the value contains [] or {}, whose members are not known. */
static bool has_unknown_members(const struct type *type)
{
    for (; type->kind == TYPE_ARRAY || type->kind == TYPE_BAG; type = type->member)
        if (type->key && type->key->kind == TYPE_EMPTY)
            return true;
    return type->kind == TYPE_EMPTY;
}

/* The array that a target must be an element of, around the type of the element. */
static const struct type *infer_array(struct check *c, struct expression *target,
                                      const struct type *type)
{
    target->type = type;
    for (; target->kind == EXPRESSION_INDEX; target = target->items[0]) {
        const struct type *key = check_settled(c, target->items[1]);
        if (!check_is_key(key))
            key = check_wrong_key(c, target->items[1]->at, key);
        if (key->kind == TYPE_WRONG || type->kind == TYPE_WRONG)
            type = check_simple(c, TYPE_WRONG);
        else
            type = check_array(c, target->at, key, type);
        target->items[0]->type = type;
    }
    return type;
}

/* The first assignment to a name declares it with the type of the value. */
static const struct type *check_new_target(struct check *c, struct expression *target,
                                           const struct type *from)
{
    struct expression *root = root_of(target);
    const struct type *type = type_settle(c->types, from);
    for (const struct expression *e = target; e != root; e = e->items[0])
        if (e->kind == EXPRESSION_FIELD) {
            check_unknown_variable(c, root->at, root->text);
            return check_simple(c, TYPE_WRONG);
        }
    if (has_unknown_members(from))
        type = check_wrong(c, root->at,
                           "the type of %s cannot be told from an empty literal: declare it, as "
                           "in int %s[] = []",
                           check_text(c, root->text), check_text(c, root->text));
    root->variable =
        check_declare(c, root->at, root->text, VARIABLE_LOCAL, infer_array(c, target, type));
    return type;
}

/* The variable, element or field that a target means, for a value of this type. */
static struct goal check_target(struct check *c, struct expression *target, const struct type *from)
{
    struct expression *root = root_of(target);
    if (root->kind != EXPRESSION_NAME)
        return (struct goal){"", check_wrong(c, target->at, "this cannot be assigned"), NULL};
    struct variable *variable = check_variable(c, root->text);
    const struct type *type =
        variable ? check_known_target(c, target, variable) : check_new_target(c, target, from);
    const char *name = check_text(c, root->text);
    if (target == root)
        return (struct goal){name, type, root->variable};
    bool field = target->kind == EXPRESSION_FIELD;
    name = field ? arena_printf(c->arena, "field %s", check_text(c, target->text))
                 : arena_printf(c->arena, "an element of %s", name);
    return (struct goal){name, type, NULL};
}

/* ---- assignments ---- */

static void check_pair(struct check *c, struct expression *target, struct expression *value)
{
    struct goal goal = check_target(c, target, value->type);
    if (goal.type->kind != TYPE_WRONG && value->type->kind != TYPE_WRONG)
        check_assigned(c, &goal, value);
}

/* All targets get the outputs of one call. */
static void check_outputs(struct check *c, struct statement *s, struct expression *call)
{
    const struct type *tuple = call->type;
    for (size_t i = 0; i < s->target_count; i++) {
        struct goal goal = check_target(c, s->targets[i], tuple->types[i]);
        if (goal.type->kind != TYPE_WRONG)
            check_goal(c, &goal, tuple->types[i], call);
    }
}

static void check_tuple(struct check *c, struct statement *s, struct expression *tuple)
{
    for (size_t i = 0; i < tuple->count; i++)
        check_pair(c, s->targets[i], tuple->items[i]);
    check_settle(c, tuple, NULL);
}

/* So that a mistake at the right side is not followed by others about the targets. */
static void check_wrong_targets(struct check *c, struct statement *s)
{
    for (size_t i = 0; i < s->target_count; i++)
        check_target(c, s->targets[i], check_simple(c, TYPE_WRONG));
}

static void wrong_count(struct check *c, struct statement *s, size_t count)
{
    const struct expression *value = s->values[0];
    size_t targets = s->target_count;
    if (s->value_count == 1 && value->kind == EXPRESSION_CALL && count == 0)
        check_wrong(c, value->at, "function %s has no output to assign",
                    check_text(c, value->text));
    else if (s->value_count == 1 && value->kind == EXPRESSION_CALL)
        check_wrong(c, value->at, "function %s has %zu output%s, but %zu variable%s on the left",
                    check_text(c, value->text), count, count == 1 ? "" : "s", targets,
                    targets == 1 ? " is" : "s are");
    else
        check_wrong(c, s->at, "%zu value%s cannot be assigned to %zu variable%s", count,
                    count == 1 ? "" : "s", targets, targets == 1 ? "" : "s");
    check_wrong_targets(c, s);
}

/* One value on the right: an expression, or a call or tuple that gives several. */
static void check_single_assignment(struct check *c, struct statement *s)
{
    struct expression *value = s->values[0];
    const struct type *type = check_infer(c, value);
    size_t count = type->kind == TYPE_TUPLE ? type->count : 1;
    if (type->kind == TYPE_WRONG)
        check_wrong_targets(c, s);
    else if (count != s->target_count)
        wrong_count(c, s, count);
    else if (type->kind != TYPE_TUPLE)
        check_pair(c, s->targets[0], value);
    else if (value->kind != EXPRESSION_TUPLE)
        check_outputs(c, s, value);
    else
        check_tuple(c, s, value);
}

static void check_assignment(struct check *c, struct statement *s)
{
    if (s->value_count == 1) {
        check_single_assignment(c, s);
        return;
    }
    for (size_t i = 0; i < s->value_count; i++)
        check_value(c, s->values[i]);
    if (s->value_count != s->target_count) {
        wrong_count(c, s, s->value_count);
        return;
    }
    for (size_t i = 0; i < s->value_count; i++)
        check_pair(c, s->targets[i], s->values[i]);
}

/* The target of += or an update, which must have been declared. */
static const struct type *check_declared_target(struct check *c, struct expression *target,
                                                const char *type, const char *value)
{
    const struct expression *root = root_of(target);
    if (root->kind != EXPRESSION_NAME)
        return check_wrong(c, target->at, "this cannot be assigned");
    const struct variable *variable = check_variable(c, root->text);
    if (variable)
        return check_known_target(c, target, variable);
    const char *name = check_text(c, root->text);
    return check_wrong(c, root->at, "variable %s is not declared: declare it, as in %s %s%s;", name,
                       type, name, value);
}

static void check_append(struct check *c, struct statement *s)
{
    const struct type *bag = check_declared_target(c, s->targets[0], "bag<int>", "");
    const struct type *from = check_value(c, s->values[0]);
    if (bag->kind == TYPE_WRONG || from->kind == TYPE_WRONG)
        return;
    const struct type *base = type_base(bag);
    if (base->kind != TYPE_BAG)
        check_wrong(c, s->targets[0]->at, "+= appends to a bag, but this has type %s",
                    check_type_text(c, bag));
    else if (!type_fits(from, base->member))
        check_wrong(c, s->values[0]->at, "cannot append to %s: the value has type %s%s",
                    check_type_text(c, bag), check_type_text(c, from),
                    check_conversion(c, from, base->member));
    else
        check_settle(c, s->values[0], base->member);
}

static void check_update(struct check *c, struct statement *s)
{
    const struct type *type = check_declared_target(c, s->targets[0], "updateable_float", " = 0.0");
    const struct type *from = check_value(c, s->values[0]);
    if (type->kind != TYPE_WRONG && type->kind != TYPE_UPDATEABLE)
        check_wrong(c, s->targets[0]->at, ":= updates an updateable_float, but this has type %s",
                    check_type_text(c, type));
    if (type_fits(from, check_simple(c, TYPE_FLOAT)))
        check_settle(c, s->values[0], check_simple(c, TYPE_FLOAT));
    else
        check_wrong(c, s->values[0]->at, "an update needs a float, but this has type %s%s",
                    check_type_text(c, from),
                    check_conversion(c, from, check_simple(c, TYPE_FLOAT)));
}

/* ---- branches ---- */

void check_condition(struct check *c, struct expression *e, const char *what, bool or_int)
{
    const struct type *type = check_settled(c, e);
    if (type->kind == TYPE_WRONG || type_is(type, TYPE_BOOLEAN) ||
        (or_int && type_is(type, TYPE_INT)))
        return;
    check_wrong(c, e->at, "the condition of %s must be boolean%s, but it has type %s", what,
                or_int ? " or int" : "", check_type_text(c, type));
}

static int compare_labels(const void *a, const void *b)
{
    const struct switch_case *const *one = a, *const *other = b;
    if ((*one)->label != (*other)->label)
        return (*one)->label < (*other)->label ? -1 : 1;
    return (*one)->at < (*other)->at ? -1 : (*one)->at > (*other)->at;
}

static void check_labels(struct check *c, const struct statement *s)
{
    const struct switch_case **cases = memory_new(s->case_count + 1, sizeof *cases);
    size_t count = 0;
    for (size_t i = 0; i < s->case_count; i++)
        if (!s->cases[i].otherwise)
            cases[count++] = &s->cases[i];
    qsort(cases, count, sizeof(struct switch_case *), compare_labels);
    for (size_t i = 1; i < count; i++)
        if (cases[i]->label == cases[i - 1]->label)
            check_wrong(c, cases[i]->at, "duplicate case label %lld%s", (long long)cases[i]->label,
                        check_place(c, "first", cases[i - 1]->at));
    free(cases);
}

static void check_switch(struct check *c, struct statement *s)
{
    const struct type *type = check_settled(c, s->values[0]);
    if (type->kind != TYPE_WRONG && !type_is(type, TYPE_INT))
        check_wrong(c, s->values[0]->at, "switch needs an int, but this has type %s",
                    check_type_text(c, type));
    check_labels(c, s);
    for (size_t i = 0; i < s->case_count; i++)
        check_block(c, s->cases[i].block);
}

static void check_if(struct check *c, struct statement *s)
{
    check_condition(c, s->values[0], "an if statement", true);
    check_block(c, s->blocks[0]);
    if (s->blocks[1])
        check_block(c, s->blocks[1]);
}

/* ---- waiting ---- */

static void check_wait(struct check *c, struct statement *s)
{
    for (size_t i = 0; i < s->value_count; i++) {
        const struct type *type = check_value(c, s->values[i]);
        if (type->kind != TYPE_UPDATEABLE) /* of that, the updates are waited for */
            check_settle(c, s->values[i], NULL);
    }
    check_block(c, s->blocks[0]);
}

static void check_name_statement(struct check *c, struct statement *s)
{
    check_value(c, s->values[0]);
}

/* The left side of a chain must have something to wait for. */
static void check_chained(struct check *c, struct statement *s)
{
    check_statement(c, s);
    if (s->kind != STATEMENT_CALL)
        return;
    const struct expression *call = s->values[0];
    if (call->type->kind == TYPE_TUPLE && call->type->count == 0)
        check_wrong(c, s->at,
                    "function %s has no output to wait for: give it a void output, as in (void v) "
                    "%s(...)",
                    check_text(c, call->text), check_text(c, call->text));
}

static void check_chain(struct check *c, struct statement *s)
{
    bool before = c->chained;
    c->chained = true;
    for (; s->kind == STATEMENT_CHAIN; s = s->right)
        check_chained(c, s->left);
    check_statement(c, s);
    c->chained = before;
}

/* ---- all of them ---- */

static void check_call_statement(struct check *c, struct statement *s)
{
    check_infer(c, s->values[0]);
    check_settle(c, s->values[0], NULL);
}

static void check_nested_block(struct check *c, struct statement *s)
{
    check_block(c, s->blocks[0]);
}

void check_statement(struct check *c, struct statement *s)
{
    static void (*const checks[])(struct check * c, struct statement * s) = {
        [STATEMENT_DECLARE] = check_declaration,
        [STATEMENT_ASSIGN] = check_assignment,
        [STATEMENT_APPEND] = check_append,
        [STATEMENT_CALL] = check_call_statement,
        [STATEMENT_NAME] = check_name_statement,
        [STATEMENT_BLOCK] = check_nested_block,
        [STATEMENT_IF] = check_if,
        [STATEMENT_SWITCH] = check_switch,
        [STATEMENT_FOREACH] = check_foreach,
        [STATEMENT_FOR] = check_for,
        [STATEMENT_ITERATE] = check_iterate,
        [STATEMENT_WAIT] = check_wait,
        [STATEMENT_UPDATE] = check_update,
        [STATEMENT_CHAIN] = check_chain,
    };
    checks[s->kind](c, s);
}

void check_statements(struct check *c, const struct block *block)
{
    const struct block *before = c->block;
    bool chained = c->chained;
    c->block = block;
    c->chained = false;
    for (size_t i = 0; i < block->count; i++)
        check_statement(c, block->statements[i]);
    c->block = before;
    c->chained = chained;
}

void check_block(struct check *c, const struct block *block)
{
    c->scope = scope_create(c->arena, c->scope);
    check_statements(c, block);
    c->scope = scope_parent(c->scope);
}
