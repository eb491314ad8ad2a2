/*
 * lower_expression.c - expressions become slots.
 *
 * Operators are functions of the library, so they wait for their operands as those do.
 */
#include "swift/lower.h"

/* ---- values ---- */

static uint32_t target_or_temporary(struct lowering *l, uint32_t target)
{
    return target == CODE_NONE ? lower_temporary(l) : target;
}

static uint32_t lower_constant(struct lowering *l, struct code_constant constant, uint32_t target)
{
    uint32_t slot = target_or_temporary(l, target);
    struct code_instruction *in = lower_add(l, CODE_CONSTANT, code_constant_add(l->code, constant));
    lower_operand(l, in, slot, CODE_SET);
    return slot;
}

static struct code_constant constant_of(struct lowering *l, const struct expression *e)
{
    struct code_constant constant = {.kind = CODE_INT, .whole = e->whole};
    if (type_is(e->type, TYPE_FLOAT)) {
        constant.kind = CODE_FLOAT;
        constant.number = e->kind == EXPRESSION_INT ? (double)e->whole : e->number;
        constant.whole = 0;
    } else if (e->kind == EXPRESSION_BOOLEAN) {
        constant.kind = CODE_BOOLEAN;
    } else if (e->kind == EXPRESSION_STRING) {
        constant = (struct code_constant){.kind = CODE_STRING, .text = code_text(l->code, e->text)};
    }
    return constant;
}

void lower_copy(struct lowering *l, uint32_t target, uint32_t source)
{
    if (target == source)
        return;
    struct code_instruction *in = lower_add(l, CODE_COPY, 0);
    lower_operand(l, in, target, CODE_SET);
    lower_operand(l, in, source, CODE_REFER);
}

enum code_mode lower_member_mode(const struct type *type)
{
    switch (type_base(type)->kind) {
    case TYPE_FILE:
    case TYPE_URL:
    case TYPE_STRUCT:
    case TYPE_ARRAY:
    case TYPE_BAG: return CODE_REFER;
    default: return CODE_KNOWN;
    }
}

/* An instruction with one output and these inputs. */
static uint32_t lower_simple(struct lowering *l, enum code_operation operation, uint32_t index,
                             uint32_t target, const struct code_operand *inputs, size_t count)
{
    uint32_t slot = target_or_temporary(l, target);
    struct code_instruction *in = lower_add(l, operation, index);
    lower_operand(l, in, slot, CODE_SET);
    for (size_t i = 0; i < count; i++)
        lower_operand(l, in, inputs[i].slot, (enum code_mode)inputs[i].mode);
    return slot;
}

static uint32_t lower_leaf(struct lowering *l, const char *name, uint32_t target,
                           const uint32_t *inputs, size_t count)
{
    uint32_t slot = target_or_temporary(l, target);
    struct code_instruction *in = lower_add(l, CODE_LEAF, code_leaf_add(l->code, name, false));
    lower_operand(l, in, slot, CODE_SET);
    for (size_t i = 0; i < count; i++)
        lower_operand(l, in, inputs[i], CODE_DEEP);
    return slot;
}

/* ---- names ---- */

static uint32_t lower_name(struct lowering *l, const struct expression *e, uint32_t target)
{
    const struct variable *variable = e->variable;
    if (variable->kind == VARIABLE_CONSTANT)
        return lower_expression(l, variable->value, target);
    uint32_t slot = lower_slot(l, variable);
    if (type_is(variable->type, TYPE_UPDATEABLE) && !type_is(e->type, TYPE_UPDATEABLE)) {
        struct code_operand input = {slot, CODE_REFER};
        return lower_simple(l, CODE_SNAPSHOT, 0, target, &input, 1);
    }
    if (target == CODE_NONE)
        return slot;
    lower_copy(l, target, slot);
    return target;
}

/* ---- operators ---- */

enum operand_kind { OF_INT, OF_FLOAT, OF_STRING, OF_BOOLEAN, OPERAND_KINDS };

/* The function of the library behind each operator, by the kind of its operands. */
static const char *const functions[][OPERAND_KINDS] = {
    [OPERATION_NEGATE] = {"negate_int", "negate_float", NULL, NULL},
    [OPERATION_NOT] = {NULL, NULL, NULL, "not"},
    [OPERATION_POWER] = {"power_int", "power_float", NULL, NULL},
    [OPERATION_TIMES] = {"int_times", "float_times", NULL, NULL},
    [OPERATION_DIVIDE] = {NULL, "float_divide", "path_join", NULL},
    [OPERATION_INT_DIVIDE] = {"int_divide", NULL, NULL, NULL},
    [OPERATION_INT_REMAINDER] = {"int_remainder", NULL, NULL, NULL},
    [OPERATION_FORMAT] = {"format", "format", "format", "format"},
    [OPERATION_PLUS] = {"int_plus", "float_plus", "concatenate", NULL},
    [OPERATION_MINUS] = {"int_minus", "float_minus", NULL, NULL},
    [OPERATION_LESS] = {"less_int", "less_float", NULL, NULL},
    [OPERATION_AT_MOST] = {"at_most_int", "at_most_float", NULL, NULL},
    [OPERATION_MORE] = {"more_int", "more_float", NULL, NULL},
    [OPERATION_AT_LEAST] = {"at_least_int", "at_least_float", NULL, NULL},
    [OPERATION_EQUAL] = {"equal_int", "equal_float", "equal_string", "equal_boolean"},
    [OPERATION_UNEQUAL] = {"unequal_int", "unequal_float", "unequal_string", "unequal_boolean"},
    [OPERATION_AND] = {NULL, NULL, NULL, "and"},
    [OPERATION_OR] = {NULL, NULL, NULL, "or"},
};

static enum operand_kind kind_of(const struct expression *e)
{
    switch (type_base(e->type)->kind) {
    case TYPE_FLOAT:
    case TYPE_UPDATEABLE: return OF_FLOAT;
    case TYPE_STRING: return OF_STRING;
    case TYPE_BOOLEAN: return OF_BOOLEAN;
    default: return OF_INT;
    }
}

static const char *function_of(const struct expression *e)
{
    enum operand_kind kind = kind_of(e->items[0]);
    if (e->operation == OPERATION_PLUS && type_is(e->type, TYPE_STRING))
        kind = OF_STRING;
    if (e->operation == OPERATION_FORMAT)
        kind = OF_STRING;
    const char *name = functions[e->operation][kind];
    if (!name)
        BUG("operator %d has no function for kind %d", e->operation, kind);
    return name;
}

/* string % (v1, v2, ...) */
static uint32_t lower_format(struct lowering *l, const struct expression *e, uint32_t target)
{
    const struct expression *right = e->items[1];
    bool tuple = right->kind == EXPRESSION_TUPLE;
    size_t count = tuple ? right->count : 1;
    uint32_t *inputs = memory_new(count + 1, sizeof *inputs);
    inputs[0] = lower_expression(l, e->items[0], CODE_NONE);
    for (size_t i = 0; i < count; i++)
        inputs[i + 1] = lower_expression(l, tuple ? right->items[i] : right, CODE_NONE);
    uint32_t slot = lower_leaf(l, function_of(e), target, inputs, count + 1);
    free(inputs);
    return slot;
}

static uint32_t lower_operator(struct lowering *l, const struct expression *e, uint32_t target)
{
    if (e->kind == EXPRESSION_BINARY && e->operation == OPERATION_FORMAT)
        return lower_format(l, e, target);
    uint32_t inputs[2];
    for (size_t i = 0; i < e->count; i++)
        inputs[i] = lower_expression(l, e->items[i], CODE_NONE);
    return lower_leaf(l, function_of(e), target, inputs, e->count);
}

/* ---- arrays and structs ---- */

static uint32_t lower_index(struct lowering *l, const struct expression *e, uint32_t target)
{
    struct code_operand inputs[2] = {{lower_expression(l, e->items[0], CODE_NONE), CODE_REFER},
                                     {lower_expression(l, e->items[1], CODE_NONE), CODE_KNOWN}};
    return lower_simple(l, CODE_LOOKUP, 0, target, inputs, 2);
}

static uint32_t lower_field(struct lowering *l, const struct expression *e, uint32_t target)
{
    const struct type *type = type_base(e->items[0]->type);
    struct code_operand input = {lower_expression(l, e->items[0], CODE_NONE), CODE_KNOWN};
    uint32_t number = 0;
    while (!slice_equal(type->fields[number].name, e->text))
        number++;
    return lower_simple(l, CODE_FIELD, number, target, &input, 1);
}

/* Members with the keys 0, 1, 2, ... or, in a dict, with their own. */
static uint32_t lower_members(struct lowering *l, const struct expression *e, uint32_t target)
{
    bool dict = e->kind == EXPRESSION_DICT;
    size_t count = dict ? e->count / 2 : e->count;
    enum code_mode mode = count > 0 ? lower_member_mode(type_base(e->type)->member) : CODE_KNOWN;
    struct code_operand *inputs = memory_new(2 * count + 1, sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        struct code_constant number = {.kind = CODE_INT, .whole = (int64_t)i};
        inputs[2 * i].slot = dict ? lower_expression(l, e->items[2 * i], CODE_NONE)
                                  : lower_constant(l, number, CODE_NONE);
        inputs[2 * i].mode = CODE_KNOWN;
        inputs[2 * i + 1].slot =
            lower_expression(l, dict ? e->items[2 * i + 1] : e->items[i], CODE_NONE);
        inputs[2 * i + 1].mode = (uint8_t)mode;
    }
    uint32_t slot = lower_simple(l, CODE_ARRAY_OF, 0, target, inputs, 2 * count);
    free(inputs);
    return slot;
}

static uint32_t lower_range(struct lowering *l, const struct expression *e, uint32_t target)
{
    uint32_t inputs[3];
    bool floats = type_is(type_base(e->type)->member, TYPE_FLOAT), step = e->count > 2;
    for (size_t i = 0; i < e->count; i++)
        inputs[i] = lower_expression(l, e->items[i], CODE_NONE);
    const char *name = floats ? step ? "range_float_step" : "range_float"
                       : step ? "range_step"
                              : "range";
    return lower_leaf(l, name, target, inputs, e->count);
}

/* ---- calls ---- */

size_t lower_output_count(const struct expression *e)
{
    return e->call->function ? e->call->function->output_count : 1;
}

static const struct expression *annotation_of(const struct call *call, const char *name)
{
    for (size_t i = 0; i < call->annotations.count; i++)
        if (slice_is(call->annotations.items[i].name, name))
            return call->annotations.items[i].value;
    return NULL;
}

/* Slots of a call's annotations; CODE_NONE where it has none. */
struct placement {
    uint32_t place, priority;
};

/* The same location, which may be ignored: its second field is the strictness, 1 for SOFT. */
static uint32_t soften(struct lowering *l, uint32_t location)
{
    struct code_constant one = {.kind = CODE_INT, .whole = 1};
    struct code_operand whole = {location, CODE_KNOWN}, fields[3];
    for (uint32_t i = 0; i < 3; i++)
        fields[i] =
            (struct code_operand){i == 1 ? lower_constant(l, one, CODE_NONE)
                                         : lower_simple(l, CODE_FIELD, i, CODE_NONE, &whole, 1),
                                  CODE_REFER};
    return lower_simple(l, CODE_BUILD, 0, CODE_NONE, fields, 3);
}

static struct placement lower_placement(struct lowering *l, const struct call *call)
{
    struct placement placement = {CODE_NONE, CODE_NONE};
    const struct expression *soft = annotation_of(call, "soft_location"),
                            *place = soft ? soft : annotation_of(call, "location"),
                            *priority = annotation_of(call, "prio");
    if (place)
        placement.place = lower_expression(l, place, CODE_NONE);
    if (soft)
        placement.place = soften(l, placement.place);
    if (priority)
        placement.priority = lower_expression(l, priority, CODE_NONE);
    return placement;
}

static void add_placement(struct lowering *l, struct code_instruction *in,
                          const struct placement *placement)
{
    if (placement->place != CODE_NONE) {
        in->flags |= CODE_HAS_PLACE;
        lower_operand(l, in, placement->place, CODE_DEEP);
    }
    if (placement->priority != CODE_NONE) {
        in->flags |= CODE_HAS_PRIORITY;
        lower_operand(l, in, placement->priority, CODE_KNOWN);
    }
}

/* Functions of the library that give a file which exists already, instead of making one. */
static bool gives_existing_file(struct slice procedure)
{
    static const char *const names[] = {"input", "input_file", "unsafe_uncached_input_file",
                                        "realpath", "input_url"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(procedure, names[i]))
            return true;
    return false;
}

/* An input may stay incomplete if the function does not look at its members. */
static enum code_mode mode_of_input(const struct script_function *f, size_t index)
{
    const struct tree_parameter *input =
        &f->inputs[index < f->input_count ? index : f->input_count - 1];
    const struct type *type = input->checked;
    while (type->kind == TYPE_ARRAY || type->kind == TYPE_BAG) {
        type = type->member;
        if (type->kind == TYPE_VARIABLE)
            return CODE_CLOSED;
    }
    return CODE_DEEP;
}

static bool is_worker(const struct script_function *f)
{
    for (size_t i = 0; i < f->annotations.count; i++) {
        const struct annotation *a = &f->annotations.items[i];
        if (slice_is(a->name, "dispatch") && a->value &&
            (slice_is(a->value->text, "WORKER") || slice_is(a->value->text, "LEAF")))
            return true;
    }
    return false;
}

static char *name_of_procedure(struct lowering *l, const struct script_function *f)
{
    struct slice name = f->procedure.length > 0 ? f->procedure : f->name;
    return arena_copy(&l->arena, name.text, name.length);
}

static void lower_library_call(struct lowering *l, const struct call *call, uint32_t *inputs,
                               const uint32_t *outputs)
{
    const struct script_function *f = call->function;
    struct placement placement = lower_placement(l, call);
    bool existing = gives_existing_file(f->procedure);
    uint32_t leaf = code_leaf_add(l->code, name_of_procedure(l, f), is_worker(f)),
             found = existing ? lower_temporary(l) : CODE_NONE;
    struct code_instruction *in = lower_add(l, CODE_LEAF, leaf);
    for (size_t i = 0; i < f->output_count; i++) {
        bool file = type_is(f->outputs[i].checked, TYPE_FILE);
        if (existing)
            lower_operand(l, in, found, CODE_SET);
        else
            lower_operand(l, in, outputs[i], file ? CODE_PATH : CODE_SET);
    }
    for (size_t i = 0; i < call->argument_count; i++)
        lower_operand(l, in, inputs[i], mode_of_input(f, i));
    add_placement(l, in, &placement);
    if (existing)
        lower_copy(l, outputs[0], found);
}

static void lower_own_call(struct lowering *l, const struct call *call, const uint32_t *inputs,
                           const uint32_t *outputs)
{
    const struct script_function *f = call->function;
    size_t number = lower_number(l, f);
    struct placement placement = lower_placement(l, call);
    const struct variable_set *globals = &l->globals[number];
    uint32_t *slots = memory_new(globals->count + 1, sizeof *slots);
    for (size_t i = 0; i < globals->count; i++)
        slots[i] = lower_slot(l, globals->items[i]);
    bool placed = f->kind == FUNCTION_APP && placement.place != CODE_NONE;
    uint32_t index = placed ? lower_placed(l, number) : l->indexes[number];
    struct code_instruction *in = lower_add(l, CODE_CALL, index);
    for (size_t i = 0; i < f->output_count; i++)
        lower_operand(l, in, outputs[i], CODE_FILL);
    for (size_t i = 0; i < call->argument_count; i++)
        lower_operand(l, in, inputs[i], CODE_REFER);
    for (size_t i = 0; i < globals->count; i++)
        lower_operand(l, in, slots[i], CODE_REFER);
    if (placed)
        lower_operand(l, in, placement.place, CODE_REFER);
    placement.place = CODE_NONE; /* only programs have one */
    add_placement(l, in, &placement);
    free(slots);
}

/* Functions that are instructions of their own, since they do not wait for all of their input. */
static bool lower_instruction_call(struct lowering *l, const struct call *call,
                                   const uint32_t *inputs, uint32_t output)
{
    struct slice name = call->function->procedure;
    if (slice_is(name, "filename") || slice_is(name, "urlname")) {
        struct code_operand file = {inputs[0], CODE_KNOWN};
        lower_simple(l, CODE_PATHNAME, 0, output, &file, 1);
        return true;
    }
    if (slice_is(name, "exists")) {
        struct code_operand both[2] = {{inputs[0], CODE_REFER}, {inputs[1], CODE_KNOWN}};
        lower_simple(l, CODE_EXISTS, 0, output, both, 2);
        return true;
    }
    return false;
}

void lower_call(struct lowering *l, const struct expression *e, uint32_t *outputs)
{
    const struct call *call = e->call;
    const struct script_function *f = call->function;
    uint32_t *inputs = memory_new(call->argument_count + 1, sizeof *inputs);
    for (size_t i = 0; i < call->argument_count; i++)
        inputs[i] = lower_expression(l, call->arguments[i], CODE_NONE);
    for (size_t i = 0; i < f->output_count; i++)
        if (outputs[i] == CODE_NONE)
            outputs[i] = lower_shaped(l, f->outputs[i].checked);
    if (f->kind != FUNCTION_LEAF)
        lower_own_call(l, call, inputs, outputs);
    else if (f->output_count != 1 || !lower_instruction_call(l, call, inputs, outputs[0]))
        lower_library_call(l, call, inputs, outputs);
    free(inputs);
}

/* STRUCT(fields...) or SUBTYPE(value) */
static uint32_t lower_construction(struct lowering *l, const struct expression *e, uint32_t target)
{
    const struct call *call = e->call;
    if (call->constructs->kind != TYPE_STRUCT) /* a subtype: the value is the same */
        return lower_expression(l, call->arguments[0], target);
    struct code_operand *fields = memory_new(call->argument_count + 1, sizeof *fields);
    for (size_t i = 0; i < call->argument_count; i++)
        fields[i] =
            (struct code_operand){lower_expression(l, call->arguments[i], CODE_NONE), CODE_REFER};
    uint32_t slot = lower_simple(l, CODE_BUILD, 0, target, fields, call->argument_count);
    free(fields);
    return slot;
}

static uint32_t lower_value_of_call(struct lowering *l, const struct expression *e, uint32_t target)
{
    if (!e->call->function)
        return lower_construction(l, e, target);
    uint32_t output = target;
    lower_call(l, e, &output);
    return output;
}

static uint32_t lower_value(struct lowering *l, const struct expression *e, uint32_t target)
{
    switch (e->kind) {
    case EXPRESSION_INT:
    case EXPRESSION_FLOAT:
    case EXPRESSION_STRING:
    case EXPRESSION_BOOLEAN: return lower_constant(l, constant_of(l, e), target);
    case EXPRESSION_NAME: return lower_name(l, e, target);
    case EXPRESSION_CALL: return lower_value_of_call(l, e, target);
    case EXPRESSION_UNARY:
    case EXPRESSION_BINARY: return lower_operator(l, e, target);
    case EXPRESSION_INDEX: return lower_index(l, e, target);
    case EXPRESSION_FIELD: return lower_field(l, e, target);
    case EXPRESSION_ARRAY:
    case EXPRESSION_DICT: return lower_members(l, e, target);
    case EXPRESSION_RANGE: return lower_range(l, e, target);
    case EXPRESSION_TUPLE: break;
    }
    BUG("a tuple where a value is wanted");
}

/* What fails is reported with the line of the expression, not of its statement. */
uint32_t lower_expression(struct lowering *l, const struct expression *e, uint32_t target)
{
    uint32_t place = l->place;
    if (e->kind != EXPRESSION_NAME && e->at > 0)
        lower_place(l, e->at);
    uint32_t slot = lower_value(l, e, target);
    l->place = place;
    return slot;
}
