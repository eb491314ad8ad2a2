/*
 * check_call.c - calls: which function, with which arguments.
 *
 * The arguments are matched with the inputs of each function of that name; of those that can take
 * them, the one whose types are closest is called. Type variables are bound to what the arguments
 * have; where that is open, the call is open, too, until its output is settled.
 */
#include "swift/check_private.h"

enum misfit {
    NONE,
    TOO_MANY,
    TOO_FEW,
    UNKNOWN_KEYWORD,  /* number `index` */
    REQUIRED_KEYWORD, /* its input has no default, so it cannot be named */
    REPEATED_KEYWORD,
    WRONG_TYPE, /* of argument `index` */
};

/* How a call fits a function. */
struct match {
    struct script_function *function;
    uint32_t at;                   /* of the call */
    struct expression **arguments; /* as in struct call */
    size_t count;
    const struct type *bound[CHECK_GENERICS]; /* type variables; NULL: not yet */
    enum misfit misfit;
    size_t index;
};

/* ---- arguments ---- */

static bool takes_many(const struct script_function *function)
{
    return function->input_count > 0 && function->inputs[function->input_count - 1].many;
}

/* The input of an argument in the order of a match. */
static const struct tree_parameter *input_of(const struct script_function *function, size_t index)
{
    return &function->inputs[index < function->input_count ? index : function->input_count - 1];
}

static size_t input_index(const struct script_function *function, struct slice name)
{
    for (size_t i = 0; i < function->input_count; i++)
        if (slice_equal(function->inputs[i].name, name))
            return i;
    return SIZE_MAX;
}

static enum misfit place_keyword(struct match *match, const struct keyword *keyword)
{
    size_t index = input_index(match->function, keyword->name);
    if (index == SIZE_MAX)
        return UNKNOWN_KEYWORD;
    if (!match->function->inputs[index].initial)
        return REQUIRED_KEYWORD;
    if (match->arguments[index])
        return REPEATED_KEYWORD;
    match->arguments[index] = keyword->value;
    return NONE;
}

static void place_keywords(struct match *match, const struct call *call)
{
    for (size_t i = 0; i < call->keyword_count && match->misfit == NONE; i++) {
        match->misfit = place_keyword(match, &call->keywords[i]);
        match->index = i;
    }
}

static void place_defaults(struct match *match)
{
    for (size_t i = 0; i < match->count && match->misfit == NONE; i++) {
        if (!match->arguments[i])
            match->arguments[i] = match->function->inputs[i].initial;
        if (!match->arguments[i])
            match->misfit = TOO_FEW;
    }
}

/* Puts the arguments of a call into the order of the inputs. */
static void place_arguments(struct check *c, struct match *match, const struct expression *e)
{
    const struct script_function *function = match->function;
    size_t single = function->input_count - takes_many(function);
    if (e->count > single && !takes_many(function)) {
        match->misfit = TOO_MANY;
        return;
    }
    match->count = e->count > single ? e->count : single;
    match->arguments = arena_new(c->arena, match->count, sizeof *match->arguments);
    for (size_t i = 0; i < e->count; i++)
        match->arguments[i] = e->items[i];
    place_keywords(match, e->call);
    place_defaults(match);
}

/* ---- type variables ---- */

/* Binds the type variables in `pattern`; false if the type cannot be one of this pattern. */
static bool bind_type(struct check *c, const struct type **bound, const struct type *pattern,
                      const struct type *type)
{
    if (pattern->kind == TYPE_VARIABLE) {
        const struct type **variable = &bound[pattern->count];
        if (type->kind == TYPE_UPDATEABLE)
            type = check_simple(c, TYPE_FLOAT);
        const struct type *joined = *variable ? type_join(c->types, *variable, type) : type;
        if (joined)
            *variable = joined;
        return joined != NULL;
    }
    if (pattern->kind != TYPE_ARRAY && pattern->kind != TYPE_BAG)
        return true; /* whether it fits is seen later */
    type = type_base(type);
    if (type->kind == TYPE_WRONG)
        return true;
    return type->kind == pattern->kind &&
           (!pattern->key || bind_type(c, bound, pattern->key, type->key)) &&
           bind_type(c, bound, pattern->member, type->member);
}

/* The type that a pattern stands for; a variable that nothing bound fits everything. */
static const struct type *bound_type(struct check *c, const struct match *match,
                                     const struct type *pattern)
{
    const struct type *key, *member;
    switch (pattern->kind) {
    case TYPE_VARIABLE:
        return match->bound[pattern->count] ? match->bound[pattern->count]
                                            : check_simple(c, TYPE_EMPTY);
    case TYPE_ARRAY:
        key = bound_type(c, match, pattern->key);
        member = bound_type(c, match, pattern->member);
        return check_array(c, match->at, key, member);
    case TYPE_BAG: return check_bag(c, match->at, bound_type(c, match, pattern->member));
    default: return pattern;
    }
}

/* ---- types of arguments ---- */

static bool is_default(const struct match *match, size_t index)
{
    return match->arguments[index] == input_of(match->function, index)->initial;
}

static void match_types(struct check *c, struct match *match)
{
    for (size_t i = 0; i < match->count; i++) {
        const struct type *pattern = input_of(match->function, i)->checked;
        if (!bind_type(c, match->bound, pattern, match->arguments[i]->type)) {
            match->misfit = WRONG_TYPE;
            match->index = i;
            return;
        }
    }
    for (size_t i = 0; i < match->count; i++) {
        const struct type *pattern = input_of(match->function, i)->checked;
        if (type_fits(match->arguments[i]->type, bound_type(c, match, pattern)))
            continue;
        match->misfit = WRONG_TYPE;
        match->index = i;
        return;
    }
}

static struct match match_function(struct check *c, struct script_function *function,
                                   const struct expression *e)
{
    struct match match = {.function = function, .at = e->at};
    place_arguments(c, &match, e);
    if (match.misfit == NONE)
        match_types(c, &match);
    return match;
}

/* ---- the closest function ---- */

static size_t subtype_distance(const struct type *from, const struct type *to)
{
    size_t distance = 0;
    for (; from != to && from->kind == TYPE_SUBTYPE; from = from->base)
        distance++;
    return distance;
}

/* How far the type of an argument is from that of its input, which it fits; 0: it is the same. */
static size_t distance(struct check *c, const struct match *match, size_t index)
{
    enum { UNION = 100, VARIABLE = 200, MANY = 50 };
    const struct tree_parameter *input = input_of(match->function, index);
    const struct type *from = match->arguments[index]->type, *to = input->checked;
    size_t many = input->many ? MANY : 0;
    if (to->kind == TYPE_UNION)
        return many + UNION + !type_fits(type_settle(c->types, from), to);
    const struct type *bound = bound_type(c, match, to);
    if (bound != to)
        return many + VARIABLE;
    if (from->open)
        return many + (type_settle(c->types, from) != to);
    return many + subtype_distance(from, to);
}

/* True if no argument is farther from its input than in the other match. */
static bool is_as_close(struct check *c, const struct match *a, const struct match *b)
{
    size_t given = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < given; i++)
        if (distance(c, a, i) > distance(c, b, i))
            return false;
    return true;
}

/* The match that is as close as all others; NULL: there is none. */
static const struct match *closest(struct check *c, const struct match *matches, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool best = true;
        for (size_t k = 0; k < count && best; k++)
            best = is_as_close(c, &matches[i], &matches[k]);
        if (best)
            return &matches[i];
    }
    return NULL;
}

/* ---- messages ---- */

static const char *signature_text(struct check *c, const struct script_function *function)
{
    struct str text = {0};
    check_add_signature(&text, function);
    const char *copy = arena_copy(c->arena, text.text, text.length);
    str_free(&text);
    return copy;
}

/* Where a function of the script is defined. */
static const char *definition_of(struct check *c, const struct script_function *function)
{
    return function->builtin ? "" : check_place(c, "defined", function->at);
}

static void wrong_argument(struct check *c, const struct match *match)
{
    const struct script_function *function = match->function;
    const struct tree_parameter *input = input_of(function, match->index);
    struct expression *argument = match->arguments[match->index];
    const struct type *wanted = bound_type(c, match, input->checked);
    check_wrong(c, argument->at,
                "argument %s of function %s must have type %s, but this has type %s%s%s",
                check_text(c, input->name), check_text(c, function->name),
                check_type_text(c, wanted->open ? input->checked : wanted),
                check_type_text(c, argument->type), check_conversion(c, argument->type, wanted),
                definition_of(c, function));
}

/* ": did you mean 'x'?" if an input with a default has a similar name; else "". */
static const char *nearest_keyword(struct check *c, const struct script_function *function,
                                   const char *name)
{
    const char **names = arena_new(c->arena, function->input_count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < function->input_count; i++)
        if (function->inputs[i].initial)
            names[count++] = check_text(c, function->inputs[i].name);
    const char *nearest = str_nearest(name, names);
    return nearest ? arena_printf(c->arena, ": did you mean '%s'?", nearest) : "";
}

static void wrong_keyword(struct check *c, const struct match *match, const struct call *call)
{
    const struct script_function *function = match->function;
    const struct keyword *keyword = &call->keywords[match->index];
    const char *name = check_text(c, keyword->name), *of = signature_text(c, function);
    const char *place = definition_of(c, function);
    if (match->misfit == REPEATED_KEYWORD)
        check_wrong(c, keyword->at, "input %s of %s is given twice%s", name, of, place);
    else if (match->misfit == REQUIRED_KEYWORD)
        check_wrong(c, keyword->at,
                    "input %s of %s has no default, so it is given by its position, without "
                    "`%s =`%s",
                    name, of, name, place);
    else
        check_wrong(c, keyword->at, "%s has no input %s%s%s", of, name,
                    nearest_keyword(c, function, name), place);
}

static size_t required_inputs(const struct script_function *function)
{
    size_t count = 0;
    for (size_t i = 0; i < function->input_count; i++)
        count += !function->inputs[i].initial && !function->inputs[i].many;
    return count;
}

static void wrong_count(struct check *c, const struct match *match, const struct expression *e)
{
    const struct script_function *function = match->function;
    bool few = match->misfit == TOO_FEW;
    size_t required = required_inputs(function);
    bool exact = required == function->input_count;
    check_wrong(c, e->at, "too %s arguments for %s: expected %s%zu, but got %zu%s",
                few ? "few" : "many", signature_text(c, function),
                exact ? ""
                : few ? "at least "
                      : "at most ",
                few ? required : function->input_count, e->count, definition_of(c, function));
}

static void report(struct check *c, const struct match *match, const struct expression *e)
{
    if (match->misfit == WRONG_TYPE)
        wrong_argument(c, match);
    else if (match->misfit == TOO_FEW || match->misfit == TOO_MANY)
        wrong_count(c, match, e);
    else
        wrong_keyword(c, match, e->call);
}

static void add_types(struct str *s, const struct expression *e)
{
    str_add_char(s, '(');
    for (size_t i = 0; i < e->count; i++) {
        str_add(s, i > 0 ? ", " : "");
        type_name(s, e->items[i]->type);
    }
    str_add_char(s, ')');
}

/* No overload fits. If only one has the right number of inputs, its mistake is the one. */
static void report_all(struct check *c, const struct expression *e, const struct match *matches,
                       size_t count)
{
    const struct match *only = NULL;
    size_t fitting = 0;
    for (size_t i = 0; i < count; i++)
        if (matches[i].misfit == WRONG_TYPE) {
            only = &matches[i];
            fitting++;
        }
    if (fitting == 1) {
        report(c, only, e);
        return;
    }
    struct str text = {0};
    add_types(&text, e);
    str_add(&text, ": there is ");
    for (size_t i = 0; i < count; i++) {
        str_add(&text, i == 0 ? "" : i + 1 < count ? ", " : " and ");
        check_add_signature(&text, matches[i].function);
    }
    check_wrong(c, e->at, "no function %s takes %s", check_text(c, e->text), text.text);
    str_free(&text);
}

/* Several overloads fit equally well, which takes a literal: other types fit one of them at most.
 */
static void report_ambiguous(struct check *c, const struct expression *e,
                             const struct match *matches)
{
    check_wrong(c, e->at,
                "this call is ambiguous: it could be %s or %s; write 1.0 for a float, since 1 can "
                "be an int, too",
                signature_text(c, matches[0].function), signature_text(c, matches[1].function));
}

/* ---- choosing ---- */

static bool has_wrong_argument(const struct expression *e)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->items[i]->type->kind == TYPE_WRONG)
            return true;
    for (size_t i = 0; i < e->call->keyword_count; i++)
        if (e->call->keywords[i].value->type->kind == TYPE_WRONG)
            return true;
    return false;
}

/* The one of several overloads that is called; NULL, and a mistake, if that is not clear. */
static const struct match *choose(struct check *c, const struct expression *e,
                                  struct match *matches, size_t count)
{
    size_t fitting = 0;
    for (size_t i = 0; i < count; i++)
        if (matches[i].misfit == NONE) {
            struct match fits = matches[i];
            matches[i] = matches[fitting];
            matches[fitting++] = fits;
        }
    const struct match *best = closest(c, matches, fitting);
    if (best || has_wrong_argument(e))
        return best;
    if (fitting == 0)
        report_all(c, e, matches, count);
    else
        report_ambiguous(c, e, matches);
    return NULL;
}

/* Finds the function that is called; false, and a mistake, if there is none. */
static bool find_match(struct check *c, struct script_function *first, const struct expression *e,
                       struct match *match)
{
    size_t count = 0;
    if (!first->overload) {
        *match = match_function(c, first, e);
        if (match->misfit != NONE)
            report(c, match, e);
        return match->misfit == NONE;
    }
    for (const struct script_function *f = first; f; f = f->overload)
        count++;
    struct match *matches = memory_new(count, sizeof *matches);
    count = 0;
    for (struct script_function *f = first; f; f = f->overload)
        matches[count++] = match_function(c, f, e);
    const struct match *best = choose(c, e, matches, count);
    bool found = best != NULL;
    if (found)
        *match = *best;
    free(matches);
    return found;
}

/* ---- the result ---- */

static void settle_arguments(struct check *c, const struct match *match)
{
    for (size_t i = 0; i < match->count; i++) {
        const struct type *type = bound_type(c, match, input_of(match->function, i)->checked);
        if (!is_default(match, i))
            check_settle(c, match->arguments[i], type_settle(c->types, type));
    }
}

/* The type of a call: that of its output, or a tuple. */
static const struct type *output_type(struct check *c, const struct match *match)
{
    const struct script_function *function = match->function;
    const struct type **types = memory_new(function->output_count + 1, sizeof *types);
    for (size_t i = 0; i < function->output_count; i++)
        types[i] = bound_type(c, match, function->outputs[i].checked);
    const struct type *type = function->output_count == 1
                                  ? types[0]
                                  : type_tuple(c->types, types, function->output_count);
    free(types);
    return type;
}

/* Settles the type variables of a function whose several outputs cannot wait for their targets. */
static void settle_bound(struct check *c, struct match *match)
{
    for (size_t i = 0; i < match->function->type_variable_count; i++) {
        const struct type *bound = match->bound[i];
        match->bound[i] = type_settle(c->types, bound ? bound : check_simple(c, TYPE_EMPTY));
    }
}

void check_settle_call(struct check *c, struct expression *e)
{
    const struct call *call = e->call;
    struct match match = {.function = call->function,
                          .at = e->at,
                          .arguments = call->arguments,
                          .count = call->argument_count};
    for (size_t i = 0; i < match.count; i++)
        bind_type(c, match.bound, input_of(match.function, i)->checked, match.arguments[i]->type);
    struct match outer = match;
    memset(outer.bound, 0, sizeof outer.bound);
    bind_type(c, outer.bound, match.function->outputs[0].checked, e->type);
    for (size_t i = 0; i < CHECK_GENERICS; i++)
        if (outer.bound[i])
            match.bound[i] = outer.bound[i];
    settle_arguments(c, &match);
}

static const struct type *call_function(struct check *c, struct script_function *first,
                                        struct expression *e)
{
    struct call *call = e->call;
    struct match match;
    if (!find_match(c, first, e, &match))
        return check_simple(c, TYPE_WRONG);
    call->function = match.function;
    call->arguments = match.arguments;
    call->argument_count = match.count;
    if (annotation_find(&match.function->annotations, "deprecated"))
        check_warn(c, e->at, "function %s is deprecated%s", check_text(c, e->text),
                   definition_of(c, match.function));
    if (match.function->output_count != 1)
        settle_bound(c, &match);
    const struct type *type = output_type(c, &match);
    if (!type->open || type->kind == TYPE_UPDATEABLE)
        settle_arguments(c, &match);
    return type;
}

/* ---- types as functions ---- */

static const struct type *construct_struct(struct check *c, const struct type *type,
                                           const struct expression *e)
{
    const struct type *base = type_base(type);
    const char *name = check_text(c, e->text);
    if (e->count != base->field_count)
        return check_wrong(c, e->at, "%s(...) needs its %zu fields in their order, but got %zu%s",
                           name, base->field_count, e->count, check_place(c, "defined", base->at));
    for (size_t i = 0; i < e->count; i++) {
        const struct type_field *field = &base->fields[i];
        const struct type *from = e->items[i]->type;
        if (type_fits(from, field->type))
            check_settle(c, e->items[i], field->type);
        else
            check_wrong(c, e->items[i]->at,
                        "field %s of %s must have type %s, but this has type %s%s%s",
                        check_text(c, field->name), name, check_type_text(c, field->type),
                        check_type_text(c, from), check_conversion(c, from, field->type),
                        check_place(c, "defined", field->at));
    }
    return type;
}

/* NAME(value): from the base of a subtype to it. */
static const struct type *convert(struct check *c, const struct type *type,
                                  const struct expression *e)
{
    const struct type *base = type_base(type);
    if (e->count != 1)
        return check_wrong(c, e->at, "%s(...) converts one value, but got %zu",
                           check_text(c, e->text), e->count);
    const struct type *from = e->items[0]->type;
    if (type_fits(type_base(from), base)) {
        check_settle(c, e->items[0], base);
        return type;
    }
    return check_wrong(c, e->items[0]->at, "%s(...) converts a value of type %s, but this is %s%s",
                       check_text(c, e->text), check_type_text(c, base), check_type_text(c, from),
                       check_conversion(c, from, base));
}

static const struct type *call_type(struct check *c, const struct type *type, struct expression *e)
{
    struct call *call = e->call;
    call->constructs = type;
    call->arguments = e->items;
    call->argument_count = e->count;
    if (type->kind == TYPE_WRONG)
        return type;
    if (type->kind == TYPE_UPDATEABLE)
        return check_wrong(c, e->at, "updateable_float is no conversion: declare a variable of it");
    if (call->keyword_count > 0)
        return check_wrong(c, call->keywords[0].at,
                           "%s is a type: its values are given in order, without names",
                           check_text(c, e->text));
    if (type_is(type, TYPE_STRUCT) && (type->kind == TYPE_STRUCT || e->count != 1))
        return construct_struct(c, type, e);
    return convert(c, type, e);
}

/* ---- calls ---- */

static void infer_arguments(struct check *c, struct expression *e)
{
    for (size_t i = 0; i < e->count; i++)
        check_value(c, e->items[i]);
    for (size_t i = 0; i < e->call->keyword_count; i++)
        check_value(c, e->call->keywords[i].value);
}

const struct type *check_call(struct check *c, struct expression *e)
{
    struct meaning meaning = scope_find_here(c->outermost, e->text);
    const struct type *type = check_simple(c, TYPE_WRONG);
    if (e->call->old)
        check_warn(c, e->at, "@%s(...) is an old spelling: write %s(...)", check_text(c, e->text),
                   check_text(c, e->text));
    infer_arguments(c, e);
    if (meaning.kind == MEANING_FUNCTION)
        type = call_function(c, meaning.function, e);
    else if (meaning.kind == MEANING_TYPE)
        type = call_type(c, meaning.type, e);
    else
        check_unknown_function(c, e->at, e->text);
    check_call_annotations(c, e);
    return type;
}
