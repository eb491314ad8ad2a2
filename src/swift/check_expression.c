/* check_expression.c - the types of expressions. */
#include "swift/check_private.h"

/* ---- operators ---- */

/* What each operator takes and gives; unary ones have no `right`. The first row that fits counts.
 */
static const struct row {
    enum operation operation;
    enum type_kind left, right, result;
} rows[] = {
    {OPERATION_NEGATE, TYPE_INT, TYPE_WRONG, TYPE_INT},
    {OPERATION_NEGATE, TYPE_FLOAT, TYPE_WRONG, TYPE_FLOAT},
    {OPERATION_NOT, TYPE_BOOLEAN, TYPE_WRONG, TYPE_BOOLEAN},
    {OPERATION_POWER, TYPE_INT, TYPE_INT, TYPE_FLOAT},
    {OPERATION_POWER, TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT},
    {OPERATION_TIMES, TYPE_INT, TYPE_INT, TYPE_INT},
    {OPERATION_TIMES, TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT},
    {OPERATION_DIVIDE, TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT},
    {OPERATION_DIVIDE, TYPE_STRING, TYPE_STRING, TYPE_STRING},
    {OPERATION_INT_DIVIDE, TYPE_INT, TYPE_INT, TYPE_INT},
    {OPERATION_INT_REMAINDER, TYPE_INT, TYPE_INT, TYPE_INT},
    {OPERATION_FORMAT, TYPE_STRING, TYPE_INT, TYPE_STRING},
    {OPERATION_FORMAT, TYPE_STRING, TYPE_FLOAT, TYPE_STRING},
    {OPERATION_FORMAT, TYPE_STRING, TYPE_STRING, TYPE_STRING},
    {OPERATION_FORMAT, TYPE_STRING, TYPE_BOOLEAN, TYPE_STRING},
    {OPERATION_PLUS, TYPE_INT, TYPE_INT, TYPE_INT},
    {OPERATION_PLUS, TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT},
    {OPERATION_PLUS, TYPE_STRING, TYPE_STRING, TYPE_STRING},
    {OPERATION_PLUS, TYPE_INT, TYPE_STRING, TYPE_STRING},
    {OPERATION_PLUS, TYPE_FLOAT, TYPE_STRING, TYPE_STRING},
    {OPERATION_PLUS, TYPE_STRING, TYPE_INT, TYPE_STRING},
    {OPERATION_PLUS, TYPE_STRING, TYPE_FLOAT, TYPE_STRING},
    {OPERATION_MINUS, TYPE_INT, TYPE_INT, TYPE_INT},
    {OPERATION_MINUS, TYPE_FLOAT, TYPE_FLOAT, TYPE_FLOAT},
    {OPERATION_LESS, TYPE_INT, TYPE_INT, TYPE_BOOLEAN},
    {OPERATION_LESS, TYPE_FLOAT, TYPE_FLOAT, TYPE_BOOLEAN},
    {OPERATION_AT_MOST, TYPE_INT, TYPE_INT, TYPE_BOOLEAN},
    {OPERATION_AT_MOST, TYPE_FLOAT, TYPE_FLOAT, TYPE_BOOLEAN},
    {OPERATION_MORE, TYPE_INT, TYPE_INT, TYPE_BOOLEAN},
    {OPERATION_MORE, TYPE_FLOAT, TYPE_FLOAT, TYPE_BOOLEAN},
    {OPERATION_AT_LEAST, TYPE_INT, TYPE_INT, TYPE_BOOLEAN},
    {OPERATION_AT_LEAST, TYPE_FLOAT, TYPE_FLOAT, TYPE_BOOLEAN},
    {OPERATION_EQUAL, TYPE_INT, TYPE_INT, TYPE_BOOLEAN},
    {OPERATION_EQUAL, TYPE_FLOAT, TYPE_FLOAT, TYPE_BOOLEAN},
    {OPERATION_EQUAL, TYPE_STRING, TYPE_STRING, TYPE_BOOLEAN},
    {OPERATION_EQUAL, TYPE_BOOLEAN, TYPE_BOOLEAN, TYPE_BOOLEAN},
    {OPERATION_UNEQUAL, TYPE_INT, TYPE_INT, TYPE_BOOLEAN},
    {OPERATION_UNEQUAL, TYPE_FLOAT, TYPE_FLOAT, TYPE_BOOLEAN},
    {OPERATION_UNEQUAL, TYPE_STRING, TYPE_STRING, TYPE_BOOLEAN},
    {OPERATION_UNEQUAL, TYPE_BOOLEAN, TYPE_BOOLEAN, TYPE_BOOLEAN},
    {OPERATION_AND, TYPE_BOOLEAN, TYPE_BOOLEAN, TYPE_BOOLEAN},
    {OPERATION_OR, TYPE_BOOLEAN, TYPE_BOOLEAN, TYPE_BOOLEAN},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool kind_fits(enum type_kind from, enum type_kind to)
{
    return from == to || from == TYPE_EMPTY ||
           (from == TYPE_NUMBER && (to == TYPE_INT || to == TYPE_FLOAT));
}

static const struct row *find_row(enum operation operation, enum type_kind left,
                                  enum type_kind right)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].operation == operation && kind_fits(left, rows[i].left) &&
            kind_fits(right, rows[i].right))
            return &rows[i];
    return NULL;
}

static bool is_whole(enum type_kind kind)
{
    return kind == TYPE_INT || kind == TYPE_NUMBER;
}

/* What would be right instead of operands that do not fit: the end of the message, or "". */
static const char *operator_hint(enum operation operation, enum type_kind left,
                                 enum type_kind right)
{
    bool mixed = (is_whole(left) && right == TYPE_FLOAT) || (left == TYPE_FLOAT && is_whole(right));
    if (operation == OPERATION_NOT || operation == OPERATION_AND || operation == OPERATION_OR)
        return is_whole(left) || is_whole(right) ? ": compare an int, as in x != 0" : "";
    if (operation == OPERATION_DIVIDE && is_whole(left) && is_whole(right))
        return ": use %/ for ints, or convert them with int2float()";
    if (operation == OPERATION_FORMAT && is_whole(left))
        return ": the remainder of ints is %%";
    if (operation == OPERATION_INT_DIVIDE && (left == TYPE_FLOAT || right == TYPE_FLOAT))
        return ": floats are divided by /";
    if (operation == OPERATION_PLUS && ((left == TYPE_STRING && right == TYPE_BOOLEAN) ||
                                        (left == TYPE_BOOLEAN && right == TYPE_STRING)))
        return ": convert the boolean with toString()";
    return mixed ? ": convert the int with int2float()" : "";
}

static const struct type *wrong_operands(struct check *c, const struct expression *e,
                                         enum type_kind left, enum type_kind right)
{
    const char *hint = operator_hint(e->operation, left, right);
    const char *one = check_type_text(c, e->items[0]->type), *sign = operation_sign(e->operation);
    if (e->count == 1)
        return check_wrong(c, e->at, "operator %s is not defined for %s%s", sign, one, hint);
    return check_wrong(c, e->at, "operator %s is not defined for %s and %s%s", sign, one,
                       check_type_text(c, e->items[1]->type), hint);
}

static enum type_kind operand_kind(const struct check *c, const struct type *type)
{
    return type->kind == TYPE_NUMBER ? TYPE_NUMBER : type_value(c->types, type)->kind;
}

static const struct type *infer_operator(struct check *c, struct expression *e)
{
    enum type_kind kinds[2] = {TYPE_WRONG, TYPE_WRONG};
    bool numbers = true, wrong = false;
    for (size_t i = 0; i < e->count; i++) {
        kinds[i] = operand_kind(c, check_value(c, e->items[i]));
        numbers &= kinds[i] == TYPE_NUMBER;
        wrong |= kinds[i] == TYPE_WRONG;
    }
    if (wrong)
        return check_simple(c, TYPE_WRONG);
    const struct row *row = find_row(e->operation, kinds[0], kinds[1]);
    if (!row)
        return wrong_operands(c, e, kinds[0], kinds[1]);
    bool only_ints =
        e->operation == OPERATION_INT_DIVIDE || e->operation == OPERATION_INT_REMAINDER;
    if (numbers && row->result == TYPE_INT && !only_ints)
        return check_simple(c, TYPE_NUMBER); /* what it is, the context decides */
    check_settle(c, e->items[0], check_simple(c, row->left));
    if (e->count > 1)
        check_settle(c, e->items[1], check_simple(c, row->right));
    return check_simple(c, row->result);
}

static const struct type *type_of_items(struct check *c, const struct expression *tuple)
{
    const struct type **types = memory_new(tuple->count + 1, sizeof *types);
    for (size_t i = 0; i < tuple->count; i++)
        types[i] = tuple->items[i]->type;
    const struct type *type = type_tuple(c->types, types, tuple->count);
    free(types);
    return type;
}

/* string % (v1, v2, ...) */
static const struct type *infer_format(struct check *c, struct expression *e)
{
    const struct expression *tuple = e->items[1];
    enum type_kind left = operand_kind(c, check_value(c, e->items[0]));
    bool wrong = left == TYPE_WRONG;
    for (size_t i = 0; i < tuple->count; i++) {
        const struct type *type = check_settled(c, tuple->items[i]);
        enum type_kind kind = operand_kind(c, type);
        wrong |= kind == TYPE_WRONG;
        if (wrong || find_row(OPERATION_FORMAT, left, kind))
            continue;
        check_wrong(c, left == TYPE_STRING ? tuple->items[i]->at : e->at,
                    "operator %% is not defined for %s and %s%s",
                    check_type_text(c, e->items[0]->type), check_type_text(c, type),
                    operator_hint(OPERATION_FORMAT, left, kind));
        wrong = true;
    }
    e->items[1]->type = type_of_items(c, tuple);
    return check_simple(c, wrong ? TYPE_WRONG : TYPE_STRING);
}

static const struct type *infer_binary(struct check *c, struct expression *e)
{
    if (e->operation == OPERATION_FORMAT && e->items[1]->kind == EXPRESSION_TUPLE)
        return infer_format(c, e);
    return infer_operator(c, e);
}

/* ---- names, elements, fields ---- */

static const struct type *infer_name(struct check *c, struct expression *e)
{
    e->variable = check_variable(c, e->text);
    if (e->variable)
        return e->variable->type;
    check_unknown_variable(c, e->at, e->text);
    return check_simple(c, TYPE_WRONG);
}

static const struct type *infer_index(struct check *c, struct expression *e)
{
    const struct type *container = check_settled(c, e->items[0]),
                      *index = check_value(c, e->items[1]), *array = type_base(container);
    if (array->kind == TYPE_WRONG || index->kind == TYPE_WRONG)
        return check_simple(c, TYPE_WRONG);
    if (array->kind != TYPE_ARRAY)
        return check_wrong(c, e->at, "only an array can be indexed, but this has type %s%s",
                           check_type_text(c, container),
                           array->kind == TYPE_BAG      ? ": a bag has no keys"
                           : array->kind == TYPE_STRING ? ": see substring()"
                                                        : "");
    if (!type_fits(index, array->key))
        return check_wrong(c, e->items[1]->at,
                           "array key type mismatch: the keys have type %s, but this has type %s",
                           check_type_text(c, array->key), check_type_text(c, index));
    check_settle(c, e->items[1], array->key);
    return array->member;
}

static const struct type *unknown_field(struct check *c, const struct expression *e,
                                        const struct type *type)
{
    const char **names = memory_new(type->field_count + 1, sizeof *names);
    for (size_t i = 0; i < type->field_count; i++)
        names[i] = check_text(c, type->fields[i].name);
    const char *name = check_text(c, e->text), *nearest = str_nearest(name, names);
    free(names);
    return check_wrong(c, e->at, "struct %s has no field %s%s%s", check_type_text(c, type), name,
                       nearest ? arena_printf(c->arena, ": did you mean '%s'?", nearest) : "",
                       check_place(c, "defined", type->at));
}

static const struct type *infer_field(struct check *c, struct expression *e)
{
    const struct type *given = check_settled(c, e->items[0]), *type = type_base(given);
    if (type->kind == TYPE_WRONG)
        return type;
    if (type->kind != TYPE_STRUCT)
        return check_wrong(c, e->at, "only a struct has fields such as %s, but this has type %s",
                           check_text(c, e->text), check_type_text(c, given));
    for (size_t i = 0; i < type->field_count; i++)
        if (slice_equal(type->fields[i].name, e->text))
            return type->fields[i].type;
    return unknown_field(c, e, type);
}

/* ---- literals ---- */

/*
 * The type that every step-th item from `first` on fits, which starts as `type`; NULL and a mistake
 * if there is none.
 */
static const struct type *join_items(struct check *c, struct expression *e, size_t first,
                                     size_t step, const char *what)
{
    const struct type *joined = NULL;
    for (size_t i = first; i < e->count; i += step) {
        const struct type *type = check_value(c, e->items[i]);
        const struct type *before = joined;
        if (type->kind == TYPE_UPDATEABLE)
            type = check_simple(c, TYPE_FLOAT);
        if (type->kind == TYPE_WRONG || (before && before->kind == TYPE_WRONG)) {
            joined = check_simple(c, TYPE_WRONG); /* the others are only looked at */
            continue;
        }
        joined = before ? type_join(c->types, before, type) : type;
        if (!joined)
            joined = check_wrong(c, e->items[i]->at,
                                 "%s must have the same type: this one has type %s, but the ones "
                                 "before have type %s%s",
                                 what, check_type_text(c, type), check_type_text(c, before),
                                 check_conversion(c, type, before));
    }
    return joined ? joined : check_simple(c, TYPE_EMPTY);
}

static void settle_items(struct check *c, struct expression *e, size_t first, size_t step,
                         const struct type *type)
{
    for (size_t i = first; i < e->count; i += step)
        check_settle(c, e->items[i], type);
}

static const struct type *infer_array(struct check *c, struct expression *e)
{
    const struct type *member = join_items(c, e, 0, 1, "the members of an array");
    enum type_kind key = e->count > 0 ? TYPE_INT : TYPE_EMPTY;
    if (member->kind == TYPE_WRONG)
        return member;
    if (!member->open)
        settle_items(c, e, 0, 1, member);
    return check_array(c, e->at, check_simple(c, key), member);
}

static const struct type *infer_range(struct check *c, struct expression *e)
{
    const struct type *member = join_items(c, e, 0, 1, "the parts of a range");
    const struct type *base = type_base(member);
    if (member->kind == TYPE_WRONG)
        return member;
    if (base->kind != TYPE_INT && base->kind != TYPE_FLOAT && base->kind != TYPE_NUMBER)
        return check_wrong(c, e->at, "the parts of a range must be int or float, not %s",
                           check_type_text(c, member));
    if (!member->open)
        settle_items(c, e, 0, 1, base);
    return type_array(c->types, check_simple(c, TYPE_INT), base);
}

static const struct type *infer_dict(struct check *c, struct expression *e)
{
    const struct type *key = join_items(c, e, 0, 2, "the keys of an array");
    const struct type *member = join_items(c, e, 1, 2, "the members of an array");
    if (key->kind == TYPE_WRONG || member->kind == TYPE_WRONG)
        return check_simple(c, TYPE_WRONG);
    if (!check_is_key(key))
        return check_wrong_key(c, e->items[0]->at, key);
    if (!key->open)
        settle_items(c, e, 0, 2, key);
    if (!member->open)
        settle_items(c, e, 1, 2, member);
    return check_array(c, e->at, key, member);
}

static const struct type *infer_tuple(struct check *c, struct expression *e)
{
    bool wrong = false;
    for (size_t i = 0; i < e->count; i++)
        wrong |= check_value(c, e->items[i])->kind == TYPE_WRONG;
    return wrong ? check_simple(c, TYPE_WRONG) : type_of_items(c, e);
}

/* ---- all of them ---- */

static const struct type *infer(struct check *c, struct expression *e)
{
    switch (e->kind) {
    case EXPRESSION_INT: return check_simple(c, TYPE_NUMBER);
    case EXPRESSION_FLOAT: return check_simple(c, TYPE_FLOAT);
    case EXPRESSION_STRING: return check_simple(c, TYPE_STRING);
    case EXPRESSION_BOOLEAN: return check_simple(c, TYPE_BOOLEAN);
    case EXPRESSION_NAME: return infer_name(c, e);
    case EXPRESSION_CALL: return check_call(c, e);
    case EXPRESSION_UNARY: return infer_operator(c, e);
    case EXPRESSION_BINARY: return infer_binary(c, e);
    case EXPRESSION_INDEX: return infer_index(c, e);
    case EXPRESSION_FIELD: return infer_field(c, e);
    case EXPRESSION_TUPLE: return infer_tuple(c, e);
    case EXPRESSION_ARRAY: return infer_array(c, e);
    case EXPRESSION_RANGE: return infer_range(c, e);
    case EXPRESSION_DICT: return infer_dict(c, e);
    }
    BUG("expression %d", (int)e->kind);
}

const struct type *check_infer(struct check *c, struct expression *e)
{
    return e->type = infer(c, e);
}

const struct type *check_value(struct check *c, struct expression *e)
{
    const struct type *type = check_infer(c, e);
    if (type->kind != TYPE_TUPLE)
        return type;
    if (e->kind == EXPRESSION_TUPLE)
        e->type = check_wrong(c, e->at,
                              "a tuple is no value: it can only be assigned, or stand "
                              "right of %%");
    else if (type->count == 0)
        e->type = check_wrong(c, e->at, "function %s has no output, so a call of it is no value",
                              check_text(c, e->text));
    else
        e->type = check_wrong(c, e->at,
                              "function %s has %zu outputs, but one value is needed: assign them "
                              "to variables first",
                              check_text(c, e->text), type->count);
    return e->type;
}

const struct type *check_settled(struct check *c, struct expression *e)
{
    check_value(c, e);
    check_settle(c, e, NULL);
    return e->type;
}

/* ---- settling ---- */

/* What an open type becomes; `wanted` may be a union, of which one is chosen. */
static const struct type *settled_type(struct check *c, const struct type *open,
                                       const struct type *wanted)
{
    const struct type *usual = type_settle(c->types, open), *fitting = NULL;
    if (!wanted || wanted->kind == TYPE_WRONG)
        return usual;
    if (wanted->kind != TYPE_UNION)
        return wanted;
    for (size_t i = 0; i < wanted->count; i++) {
        if (type_fits(usual, wanted->types[i]))
            return usual;
        if (!fitting && type_fits(open, wanted->types[i]))
            fitting = wanted->types[i];
    }
    return fitting ? fitting : usual;
}

static void settle_number(struct expression *e)
{
    if (e->type->kind != TYPE_FLOAT)
        return;
    e->kind = EXPRESSION_FLOAT;
    e->number = (double)e->whole;
}

void check_settle(struct check *c, struct expression *e, const struct type *wanted)
{
    if (!e->type->open)
        return;
    if (e->kind != EXPRESSION_TUPLE)
        e->type = settled_type(c, e->type, wanted);
    switch (e->kind) {
    case EXPRESSION_INT: settle_number(e); break;
    case EXPRESSION_CALL: check_settle_call(c, e); break;
    case EXPRESSION_UNARY:
    case EXPRESSION_BINARY: settle_items(c, e, 0, 1, e->type); break;
    case EXPRESSION_ARRAY:
    case EXPRESSION_RANGE: settle_items(c, e, 0, 1, e->type->member); break;
    case EXPRESSION_DICT:
        settle_items(c, e, 0, 2, e->type->key);
        settle_items(c, e, 1, 2, e->type->member);
        break;
    case EXPRESSION_TUPLE:
        settle_items(c, e, 0, 1, NULL);
        e->type = type_of_items(c, e);
        break;
    default: break; /* an updateable_float becomes a float by its type alone */
    }
}

/* ---- conversions ---- */

const char *check_conversion(struct check *c, const struct type *from, const struct type *to)
{
    static const struct {
        enum type_kind from, to;
        const char *hint;
    } hints[] = {
        {TYPE_INT, TYPE_FLOAT, ": convert it with int2float()"},
        {TYPE_FLOAT, TYPE_INT, ": convert it with float2int()"},
        {TYPE_INT, TYPE_STRING, ": convert it with int2string()"},
        {TYPE_FLOAT, TYPE_STRING, ": convert it with float2string()"},
        {TYPE_BOOLEAN, TYPE_STRING, ": convert it with toString()"},
        {TYPE_STRING, TYPE_INT, ": convert it with string2int()"},
        {TYPE_STRING, TYPE_FLOAT, ": convert it with string2float()"},
        {TYPE_STRING, TYPE_BOOLEAN, ": convert it with string2bool()"},
        {TYPE_BOOLEAN, TYPE_INT, ": convert it with bool2int()"},
        {TYPE_INT, TYPE_BOOLEAN, ": compare it, as in x != 0"},
        {TYPE_STRING, TYPE_FILE, ": open the file of this path with input()"},
        {TYPE_FILE, TYPE_STRING, ": filename() gives its path, read() its text"},
        {TYPE_STRING, TYPE_URL, ": convert it with input_url()"},
        {TYPE_URL, TYPE_STRING, ": convert it with urlname()"},
    };
    if (to->kind == TYPE_SUBTYPE && type_fits(from, type_base(to)))
        return arena_printf(c->arena, ": convert it with %s()", check_type_text(c, to));
    from = type_settle(c->types, type_value(c->types, from));
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (hints[i].from == from->kind && hints[i].to == type_base(to)->kind)
            return hints[i].hint;
    return "";
}
