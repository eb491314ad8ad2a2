/*
 * usage.c - what is assigned and read on which paths.
 *
 * The tree is walked once, in the order of the text. For each variable, and each field of a struct
 * variable, it is known whether it has been assigned by then: not, perhaps, or certainly. Branches
 * are walked one after the other from the same state, which a log restores; then they are merged.
 * The body of a loop may run any number of times, so what it assigns is perhaps assigned.
 *
 * A variable may be read before it is assigned, because the reader waits. So whether a variable is
 * assigned at all is decided when everything has been walked.
 */
#include "swift/check.h"

enum certainty { NO, PERHAPS, YES };

/* What is known of a variable, or of a field of one. */
struct usage {
    enum certainty whole, parts; /* assigned as a whole; members or fields of it */
    uint32_t at;                 /* where it was assigned first; 0: nowhere */
    bool read;                   /* somewhere */
    bool read_early;             /* where it was not certain to have been assigned */
    bool named;                  /* read in any way, if only for the name of a file */
    uint32_t read_at;
    struct usage *fields;      /* of a struct; NULL: none was used by itself */
    struct branches *branches; /* the innermost ones that have assigned it; NULL: none */
    size_t outcome;            /* which of their outcomes is about it */
};

/* An earlier state, to be restored. */
struct change {
    struct usage *usage;
    enum certainty whole, parts;
};

struct change_list {
    struct change *items;
    size_t count, capacity;
};

struct analysis {
    const struct checked *checked;
    const struct sources *sources;
    struct syntax_report *report;
    struct usage *usages; /* by index of the variable */
    struct change_list log;
    struct arena arena;
};

static void walk_block(struct analysis *a, const struct block *block);
static void walk_statement(struct analysis *a, const struct statement *s);
static void read_expression(struct analysis *a, const struct expression *e);

/* ---- names of variables in messages ---- */

/* x, or p.field */
static void add_name(struct str *s, const struct expression *e)
{
    if (e->kind == EXPRESSION_FIELD || e->kind == EXPRESSION_INDEX)
        add_name(s, e->items[0]);
    str_add(s, e->kind == EXPRESSION_FIELD ? "." : "");
    str_add_bytes(s, e->text.text, e->text.length);
}

static const char *name_of(struct analysis *a, const struct expression *e)
{
    struct str name = {0};
    add_name(&name, e);
    const char *copy = arena_copy(&a->arena, str_text(&name), name.length);
    str_free(&name);
    return copy;
}

static const char *place_of(struct analysis *a, uint32_t at)
{
    struct str place = {0};
    source_add_place(&place, a->sources, at);
    const char *copy = arena_copy(&a->arena, str_text(&place), place.length);
    str_free(&place);
    return copy;
}

/* ---- states ---- */

static struct usage *usage_of(struct analysis *a, const struct variable *variable)
{
    return &a->usages[variable->index];
}

static struct usage *field_of(struct analysis *a, struct usage *whole, const struct type *type,
                              struct slice name)
{
    type = type_base(type);
    size_t number = 0;
    if (!whole->fields)
        whole->fields = arena_new(&a->arena, type->field_count + 1, sizeof *whole->fields);
    while (!slice_equal(type->fields[number].name, name))
        number++;
    return &whole->fields[number];
}

static void remember(struct analysis *a, struct usage *usage)
{
    a->log.items =
        memory_grow(a->log.items, &a->log.capacity, a->log.count + 1, sizeof *a->log.items);
    a->log.items[a->log.count++] = (struct change){usage, usage->whole, usage->parts};
}

/* ---- assigning ---- */

static void set_whole(struct analysis *a, struct usage *usage, const char *name, uint32_t at)
{
    const char *before = place_of(a, usage->at);
    if (usage->whole == YES)
        source_mistake(a->sources, &a->report->mistakes, at,
                       "%s cannot be assigned again: it already has been assigned at %s", name,
                       before);
    else if (usage->parts != NO)
        source_mistake(a->sources, &a->report->mistakes, at,
                       "%s cannot be assigned as a whole: a part of it has been assigned at %s",
                       name, before);
    else if (usage->whole == PERHAPS)
        source_mistake(a->sources, &a->report->warnings, at,
                       "%s may be assigned twice: it may already have been assigned at %s", name,
                       before);
    remember(a, usage);
    usage->whole = YES;
    usage->at = usage->at ? usage->at : at;
}

static void set_part(struct analysis *a, struct usage *usage, const char *name, uint32_t at)
{
    if (usage->whole != NO)
        source_mistake(a->sources, &a->report->mistakes, at,
                       "no part of %s can be assigned: it was assigned as a whole at %s", name,
                       place_of(a, usage->at));
    remember(a, usage);
    usage->parts = YES;
    usage->at = usage->at ? usage->at : at;
}

/* The usage of a variable or of a field that a target names, whose whole gets a part. */
static struct usage *usage_of_target(struct analysis *a, const struct expression *target)
{
    if (target->kind == EXPRESSION_NAME)
        return usage_of(a, target->variable);
    struct usage *whole = usage_of_target(a, target->items[0]);
    set_part(a, whole, name_of(a, target->items[0]), target->at);
    return field_of(a, whole, target->items[0]->type, target->text);
}

static void assign_target(struct analysis *a, const struct expression *target)
{
    bool member = target->kind == EXPRESSION_INDEX;
    uint32_t at = target->at;
    for (; target->kind == EXPRESSION_INDEX; target = target->items[0])
        read_expression(a, target->items[1]);
    struct usage *usage = usage_of_target(a, target);
    if (member)
        set_part(a, usage, name_of(a, target), at);
    else
        set_whole(a, usage, name_of(a, target), at);
}

/* ---- reading ---- */

static void read_usage(struct usage *usage, uint32_t at)
{
    usage->named = true;
    if (usage->whole != YES && usage->parts != YES) {
        usage->read_early = true;
        usage->read_at = usage->read_at ? usage->read_at : at;
    }
    if (!usage->read && !usage->read_at)
        usage->read_at = at;
    usage->read = true;
}

/* The usage of a variable or a chain of its fields; NULL if it is a field of something else. */
static struct usage *usage_of_field(struct analysis *a, const struct expression *e)
{
    if (e->kind == EXPRESSION_NAME)
        return e->variable->kind == VARIABLE_LOCAL || e->variable->kind == VARIABLE_OUTPUT
                   ? usage_of(a, e->variable)
                   : NULL;
    if (e->kind != EXPRESSION_FIELD)
        return NULL;
    struct usage *whole = usage_of_field(a, e->items[0]);
    if (!whole)
        return NULL;
    whole->named = true;
    return field_of(a, whole, e->items[0]->type, e->text);
}

/* A struct that was assigned as a whole has all of its fields. */
static bool is_whole(struct analysis *a, const struct expression *e)
{
    for (; e->kind == EXPRESSION_FIELD; e = e->items[0]) {
        struct usage *whole = usage_of_field(a, e->items[0]);
        if (whole && whole->whole != NO)
            return true;
    }
    return false;
}

static void read_field(struct analysis *a, const struct expression *e)
{
    struct usage *usage = usage_of_field(a, e);
    if (!usage)
        read_expression(a, e->items[0]);
    else if (!is_whole(a, e))
        read_usage(usage, e->at);
}

static void read_many(struct analysis *a, struct expression *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        read_expression(a, items[i]);
}

static void read_annotations(struct analysis *a, const struct annotations *annotations)
{
    for (size_t i = 0; i < annotations->count; i++)
        if (annotations->items[i].value && annotations->items[i].value->type)
            read_expression(a, annotations->items[i].value);
}

/* The name of a file is known before the file is there. */
static bool needs_only_name(const struct call *call)
{
    return call->function && call->function->builtin &&
           (slice_is(call->function->procedure, "filename") ||
            slice_is(call->function->procedure, "urlname"));
}

static void read_call(struct analysis *a, const struct call *call)
{
    read_annotations(a, &call->annotations);
    if (needs_only_name(call) && call->arguments[0]->kind == EXPRESSION_NAME)
        usage_of(a, call->arguments[0]->variable)->named = true;
    else
        read_many(a, call->arguments, call->argument_count);
}

static void read_expression(struct analysis *a, const struct expression *e)
{
    switch (e->kind) {
    case EXPRESSION_NAME: read_usage(usage_of(a, e->variable), e->at); break;
    case EXPRESSION_FIELD: read_field(a, e); break;
    case EXPRESSION_CALL: read_call(a, e->call); break;
    default: read_many(a, e->items, e->count); break;
    }
}

/* ---- branches ---- */

/* What the branches of one statement do to a variable. */
struct outcome {
    struct usage *usage;
    enum certainty whole, parts; /* the most that a branch does */
    unsigned certain;            /* in how many branches it is assigned for certain */
    unsigned latest;             /* the branch that was counted last, from 1 */
    struct branches *outer;      /* what usage->branches and usage->outcome were before */
    size_t outer_outcome;
};

struct branches {
    struct outcome *items;
    size_t count, capacity;
    unsigned number; /* of branches that have ended */
};

static struct outcome *outcome_of(struct branches *branches, struct usage *usage)
{
    if (usage->branches != branches) {
        branches->items = memory_grow(branches->items, &branches->capacity, branches->count + 1,
                                      sizeof *branches->items);
        branches->items[branches->count] = (struct outcome){
            .usage = usage, .outer = usage->branches, .outer_outcome = usage->outcome};
        usage->branches = branches;
        usage->outcome = branches->count++;
    }
    return &branches->items[usage->outcome];
}

/* Takes note of what a branch has changed, and restores the state before it. */
static void end_branch(struct analysis *a, struct branches *branches, size_t mark)
{
    branches->number++;
    for (size_t i = a->log.count; i > mark; i--) {
        struct usage *usage = a->log.items[i - 1].usage;
        struct outcome *outcome = outcome_of(branches, usage);
        if (outcome->latest == branches->number)
            continue; /* its state at the end of the branch is what counts */
        outcome->latest = branches->number;
        outcome->certain += usage->whole == YES;
        outcome->whole = usage->whole > outcome->whole ? usage->whole : outcome->whole;
        outcome->parts = usage->parts > outcome->parts ? usage->parts : outcome->parts;
    }
    for (size_t i = a->log.count; i > mark; i--) {
        a->log.items[i - 1].usage->whole = a->log.items[i - 1].whole;
        a->log.items[i - 1].usage->parts = a->log.items[i - 1].parts;
    }
    a->log.count = mark;
}

static void walk_branch(struct analysis *a, struct branches *branches, const struct block *block)
{
    size_t mark = a->log.count;
    walk_block(a, block);
    end_branch(a, branches, mark);
}

/* `all`: one of the branches is certain to run. */
static void merge(struct analysis *a, struct branches *branches, bool all)
{
    for (size_t i = 0; i < branches->count; i++) {
        const struct outcome *outcome = &branches->items[i];
        struct usage *usage = outcome->usage;
        bool certain = all && outcome->certain == branches->number;
        enum certainty whole = certain ? YES : outcome->whole != NO ? PERHAPS : NO;
        remember(a, usage);
        usage->whole = whole > usage->whole ? whole : usage->whole;
        usage->parts = outcome->parts > usage->parts ? outcome->parts : usage->parts;
        usage->branches = outcome->outer;
        usage->outcome = outcome->outer_outcome;
    }
    free(branches->items);
}

/* A condition must not wait for what only its own branches assign. */
static void check_condition(struct analysis *a, const struct expression *condition,
                            const struct branches *branches)
{
    if (condition->kind != EXPRESSION_NAME)
        return;
    struct usage *usage = usage_of(a, condition->variable);
    for (size_t i = 0; i < branches->count; i++)
        if (branches->items[i].usage == usage && usage->whole == NO) {
            source_mistake(a->sources, &a->report->mistakes, condition->at,
                           "%s is waited for here, but assigned only inside of what waits for it",
                           name_of(a, condition));
            usage->whole = YES; /* it is reported once */
            return;
        }
}

static void walk_if(struct analysis *a, const struct statement *s)
{
    struct branches branches = {0};
    read_expression(a, s->values[0]);
    walk_branch(a, &branches, s->blocks[0]);
    if (s->blocks[1])
        walk_branch(a, &branches, s->blocks[1]);
    check_condition(a, s->values[0], &branches);
    merge(a, &branches, s->blocks[1] != NULL);
}

static void walk_switch(struct analysis *a, const struct statement *s)
{
    struct branches branches = {0};
    bool all = false;
    read_expression(a, s->values[0]);
    for (size_t i = 0; i < s->case_count; i++) {
        walk_branch(a, &branches, s->cases[i].block);
        all |= s->cases[i].otherwise;
    }
    check_condition(a, s->values[0], &branches);
    merge(a, &branches, all);
}

static void walk_loop_body(struct analysis *a, const struct block *block)
{
    struct branches branches = {0};
    walk_branch(a, &branches, block);
    merge(a, &branches, false);
}

/* ---- statements ---- */

static void walk_declarators(struct analysis *a, const struct statement *s)
{
    for (size_t i = 0; i < s->declarator_count; i++) {
        const struct declarator *d = &s->declarators[i];
        struct expression name = {
            .kind = EXPRESSION_NAME, .at = d->at, .text = d->name, .variable = d->variable};
        if (d->mapping)
            read_expression(a, d->mapping);
        if (d->value) {
            read_expression(a, d->value);
            assign_target(a, &name);
        }
    }
}

static void check_itself(struct analysis *a, const struct expression *target,
                         const struct expression *value)
{
    if (target->kind == EXPRESSION_NAME && value->kind == EXPRESSION_NAME &&
        target->variable == value->variable)
        source_mistake(a->sources, &a->report->mistakes, target->at, "%s is assigned to itself",
                       name_of(a, target));
}

static void walk_assignment(struct analysis *a, const struct statement *s)
{
    for (size_t i = 0; i < s->target_count && s->target_count == s->value_count; i++)
        check_itself(a, s->targets[i], s->values[i]);
    read_many(a, s->values, s->value_count);
    for (size_t i = 0; i < s->target_count; i++)
        assign_target(a, s->targets[i]);
}

static void walk_append(struct analysis *a, const struct statement *s)
{
    const struct expression *target = s->targets[0];
    read_expression(a, s->values[0]);
    for (; target->kind == EXPRESSION_INDEX; target = target->items[0])
        read_expression(a, target->items[1]);
    set_part(a, usage_of_target(a, target), name_of(a, target), target->at);
}

/* The final value of a loop variable goes to a variable outside of the loop. */
static void assign_outer(struct analysis *a, const struct loop_variable *v)
{
    struct expression name = {
        .kind = EXPRESSION_NAME, .at = v->at, .text = v->name, .variable = v->outer};
    if (!v->outer)
        return;
    assign_target(a, &name);
    usage_of(a, v->outer)->named = true; /* the loop itself needs it */
}

static void walk_for(struct analysis *a, const struct statement *s)
{
    struct branches branches = {0};
    for (size_t i = 0; i < s->loop_variable_count; i++)
        if (s->loop_variables[i].initial)
            read_expression(a, s->loop_variables[i].initial);
    read_expression(a, s->condition);
    size_t mark = a->log.count;
    walk_block(a, s->blocks[0]);
    for (size_t i = 0; i < s->loop_variable_count; i++)
        if (s->loop_variables[i].update)
            read_expression(a, s->loop_variables[i].update);
    end_branch(a, &branches, mark);
    merge(a, &branches, false);
    for (size_t i = 0; i < s->loop_variable_count; i++)
        assign_outer(a, &s->loop_variables[i]);
}

static void walk_iterate(struct analysis *a, const struct statement *s)
{
    struct branches branches = {0};
    size_t mark = a->log.count;
    walk_block(a, s->blocks[0]);
    read_expression(a, s->condition); /* it may name what the body assigns */
    end_branch(a, &branches, mark);
    merge(a, &branches, false);
}

static void walk_chain(struct analysis *a, const struct statement *s)
{
    for (; s->kind == STATEMENT_CHAIN; s = s->right)
        walk_statement(a, s->left);
    walk_statement(a, s);
}

static void walk_statement(struct analysis *a, const struct statement *s)
{
    switch (s->kind) {
    case STATEMENT_DECLARE: walk_declarators(a, s); break;
    case STATEMENT_ASSIGN: walk_assignment(a, s); break;
    case STATEMENT_APPEND: walk_append(a, s); break;
    case STATEMENT_CALL:
    case STATEMENT_NAME: read_many(a, s->values, s->value_count); break;
    case STATEMENT_BLOCK: walk_block(a, s->blocks[0]); break;
    case STATEMENT_IF: walk_if(a, s); break;
    case STATEMENT_SWITCH: walk_switch(a, s); break;
    case STATEMENT_FOREACH:
        read_many(a, s->values, s->value_count);
        walk_loop_body(a, s->blocks[0]);
        break;
    case STATEMENT_FOR: walk_for(a, s); break;
    case STATEMENT_ITERATE: walk_iterate(a, s); break;
    case STATEMENT_WAIT:
        read_many(a, s->values, s->value_count);
        walk_block(a, s->blocks[0]);
        break;
    case STATEMENT_UPDATE:
        read_many(a, s->values, s->value_count);
        usage_of(a, s->targets[0]->variable)->named = true;
        break;
    case STATEMENT_CHAIN: walk_chain(a, s); break;
    }
}

static void walk_block(struct analysis *a, const struct block *block)
{
    for (size_t i = 0; i < block->count; i++)
        walk_statement(a, block->statements[i]);
}

/* ---- app functions ---- */

static bool mentions(const struct expression *e, const struct variable *variable)
{
    if (!e)
        return false;
    if (e->kind == EXPRESSION_NAME && e->variable == variable)
        return true;
    if (e->kind == EXPRESSION_CALL)
        for (size_t i = 0; i < e->call->argument_count; i++)
            if (mentions(e->call->arguments[i], variable))
                return true;
    for (size_t i = 0; e->kind != EXPRESSION_CALL && i < e->count; i++)
        if (mentions(e->items[i], variable))
            return true;
    return false;
}

static bool is_suppressed(const struct script_function *f)
{
    const struct annotation *suppress = annotation_find(&f->annotations, "suppress");
    return suppress && suppress->value && slice_is(suppress->value->text, "unused_output");
}

static void walk_app(struct analysis *a, const struct script_function *f)
{
    read_many(a, f->words, f->word_count);
    for (size_t i = 0; i < REDIRECTIONS; i++)
        if (f->redirections[i])
            read_expression(a, f->redirections[i]);
    for (size_t i = 0; i < f->output_count; i++) {
        const struct variable *output = f->outputs[i].variable;
        bool found = !type_is(output->type, TYPE_FILE) || is_suppressed(f);
        usage_of(a, output)->whole = YES;
        for (size_t k = 0; k < f->word_count && !found; k++)
            found = mentions(f->words[k], output);
        for (size_t k = 0; k < REDIRECTIONS && !found; k++)
            found = mentions(f->redirections[k], output);
        if (!found)
            source_mistake(a->sources, &a->report->warnings, output->at,
                           "the command does not mention the output %.*s: it must know where to "
                           "write it, or say @suppress=unused_output",
                           (int)output->name.length, output->name.text);
    }
}

/* ---- the end ---- */

static bool may_stay_empty(const struct type *type)
{
    enum type_kind kind = type_base(type)->kind;
    return kind == TYPE_ARRAY || kind == TYPE_BAG || kind == TYPE_UPDATEABLE;
}

/* Fields that are read, but that nothing assigns; and those that perhaps nothing assigns. */
static void end_fields(struct analysis *a, const struct variable *v, const struct usage *usage,
                       const struct type *type, const char *name)
{
    type = type_base(type);
    for (size_t i = 0; i < type->field_count && usage->whole == NO; i++) {
        static const struct usage nothing = {0};
        const struct usage *field = usage->fields ? &usage->fields[i] : &nothing;
        const char *full =
            arena_printf(&a->arena, "%s.%.*s", name, (int)type->fields[i].name.length,
                         type->fields[i].name.text);
        if (type_is(type->fields[i].type, TYPE_STRUCT)) {
            if (usage->fields)
                end_fields(a, v, field, type->fields[i].type, full);
        } else if (field->whole != NO || may_stay_empty(type->fields[i].type)) {
            continue;
        } else if (field->read) {
            source_mistake(a->sources, &a->report->mistakes, field->read_at,
                           "%s is read here, but never assigned", full);
        } else if (usage->read && usage->parts != NO) {
            source_mistake(a->sources, &a->report->warnings, v->at,
                           "%s is used as a whole, but %s is never assigned", name, full);
        }
    }
}

static void end_unassigned(struct analysis *a, const struct variable *v, const struct usage *usage,
                           const char *name)
{
    if (may_stay_empty(v->type))
        return;
    if (v->kind == VARIABLE_OUTPUT)
        source_mistake(a->sources, &a->report->mistakes, v->at, "the output %s is never assigned",
                       name);
    else if (usage->read)
        source_mistake(a->sources, &a->report->mistakes, usage->read_at,
                       "%s is read here, but never assigned", name);
    else if (v->mapping)
        source_mistake(a->sources, &a->report->warnings, v->at, "nothing is written to the file %s",
                       name);
}

/* Files, arrays and structs are often made for what comes with them. */
static bool is_plain(const struct type *type)
{
    enum type_kind kind = type_base(type)->kind;
    return kind == TYPE_INT || kind == TYPE_FLOAT || kind == TYPE_STRING || kind == TYPE_BOOLEAN;
}

static void end_variable(struct analysis *a, const struct variable *v)
{
    const struct usage *usage = usage_of(a, v);
    const char *name = arena_copy(&a->arena, v->name.text, v->name.length);
    if (v->kind != VARIABLE_LOCAL && v->kind != VARIABLE_OUTPUT)
        return;
    if (usage->whole == NO && usage->parts == NO)
        end_unassigned(a, v, usage, name);
    else if (usage->whole == PERHAPS && !may_stay_empty(v->type) &&
             (usage->read_early || v->kind == VARIABLE_OUTPUT))
        source_mistake(a->sources, &a->report->warnings, v->at,
                       "%s may be read without having been assigned: what reads it would wait for "
                       "ever",
                       name);
    if (type_is(v->type, TYPE_STRUCT))
        end_fields(a, v, usage, v->type, name);
    if (v->kind == VARIABLE_LOCAL && !usage->named && is_plain(v->type))
        source_mistake(a->sources, &a->report->warnings, v->at, "variable %s is not used", name);
}

static void walk_modules(struct analysis *a)
{
    const struct script *script = a->checked->script;
    for (size_t m = 0; m < script->module_count; m++) {
        const struct module *module = script->modules[m];
        for (size_t i = 0; i < module->item_count && !module->builtin; i++)
            if (module->items[i].kind == ITEM_STATEMENT)
                walk_statement(a, module->items[i].statement);
    }
}

void usage_check(const struct checked *checked, const struct sources *sources,
                 struct syntax_report *report)
{
    struct analysis a = {.checked = checked,
                         .sources = sources,
                         .report = report,
                         .usages = memory_new(checked->variable_count + 1, sizeof *a.usages)};
    for (size_t i = 0; i < checked->function_count; i++) {
        const struct script_function *f = checked->functions[i];
        if (!f->builtin && f->kind == FUNCTION_COMPOSITE)
            walk_block(&a, f->body);
        else if (!f->builtin && f->kind == FUNCTION_APP)
            walk_app(&a, f);
    }
    walk_modules(&a);
    for (size_t i = 0; i < checked->variable_count; i++)
        if (!checked->variables[i]->builtin)
            end_variable(&a, checked->variables[i]);
    free(a.usages);
    free(a.log.items);
    arena_free(&a.arena);
}
