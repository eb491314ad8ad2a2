/* check_function.c - definitions of functions and of global constants. */
#include "swift/check_private.h"

enum { OVERLOAD_LIMIT = 100 };

/* ---- for messages ---- */

static void add_parameter_type(struct str *s, const struct tree_parameter *parameter)
{
    type_name(s, parameter->checked);
    if (parameter->many)
        str_add(s, "...");
}

void check_add_signature(struct str *s, const struct script_function *function)
{
    str_add_bytes(s, function->name.text, function->name.length);
    str_add_char(s, '(');
    for (size_t i = 0; i < function->input_count; i++) {
        const struct tree_parameter *input = &function->inputs[i];
        if (i > 0)
            str_add(s, ", ");
        add_parameter_type(s, input);
        str_add_char(s, ' ');
        str_add_bytes(s, input->name.text, input->name.length);
    }
    str_add_char(s, ')');
}

static const char *kind_name(const struct script_function *function)
{
    static const char *const names[] = {[FUNCTION_COMPOSITE] = "a composite function",
                                        [FUNCTION_APP] = "an app function",
                                        [FUNCTION_LEAF] = "a leaf function"};
    return names[function->kind];
}

/* ---- literals ---- */

/* True for a literal, or a number with a minus. */
static bool is_literal(const struct expression *e)
{
    if (e->kind == EXPRESSION_UNARY && e->operation == OPERATION_NEGATE)
        return e->items[0]->kind == EXPRESSION_INT || e->items[0]->kind == EXPRESSION_FLOAT;
    return e->kind <= EXPRESSION_BOOLEAN;
}

/* The value of a default or a constant. */
static void check_literal(struct check *c, struct expression *e, const struct type *type,
                          const char *what, struct slice name)
{
    if (!is_literal(e)) {
        e->type =
            check_wrong(c, e->at, "the %s of %s must be a literal, such as 3, -0.5 or \"text\"",
                        what, check_text(c, name));
        return;
    }
    const struct type *from = check_infer(c, e);
    if (type_fits(from, type))
        check_settle(c, e, type);
    else
        e->type =
            check_wrong(c, e->at, "the %s of %s must have type %s, but it has type %s", what,
                        check_text(c, name), check_type_text(c, type), check_type_text(c, from));
}

void check_constant(struct check *c, const struct item *item)
{
    struct declarator *d = item->declarator;
    const struct type *type = check_type(c, item->type);
    if (check_taken(c, d->at, d->name))
        return;
    if (d->dimension_count > 0 || (type->kind != TYPE_WRONG && !check_is_key(type)))
        type = check_wrong(c, d->at, "a global constant must be an int, float, string or boolean");
    if (d->mapping)
        check_wrong(c, d->mapping->at, "a global constant cannot be mapped");
    c->scope = c->outermost;
    d->variable = check_add_variable(c, d->at, d->name, VARIABLE_CONSTANT, type);
    d->variable->value = d->value;
    c->scope = c->top;
    check_literal(c, d->value, type, "value", d->name);
}

/* ---- parameters ---- */

static const struct type *parameter_type(struct check *c, const struct tree_parameter *parameter)
{
    size_t count = parameter->type.count;
    const struct type **types = arena_new(c->arena, count, sizeof *types);
    for (size_t i = 0; i < count; i++) {
        types[i] = check_declared_type(c, check_type(c, parameter->type.types[i]),
                                       parameter->dimensions, parameter->dimension_count);
        if (types[i]->kind == TYPE_WRONG)
            return types[i];
    }
    return count == 1 ? types[0] : type_union(c->types, types, count);
}

/* What only leaf functions may have, and no output. Returns the type that is left. */
static const struct type *check_parameter_kind(struct check *c,
                                               const struct script_function *function,
                                               const struct tree_parameter *p, bool output)
{
    const char *what = p->type.count > 1 ? "a union type" : p->many ? "a variable number" : NULL;
    const char *name = check_text(c, p->name);
    if (function->kind != FUNCTION_LEAF && function->type_variable_count > 0)
        return check_simple(c, TYPE_WRONG); /* it may have one, which was reported */
    if (what && output)
        return check_wrong(c, p->at, "output %s cannot have %s", name, what);
    if (what && function->kind != FUNCTION_LEAF)
        return check_wrong(c, p->at, "input %s cannot have %s, since this is %s", name, what,
                           kind_name(function));
    if (type_is(p->checked, TYPE_UPDATEABLE) && function->kind != FUNCTION_LEAF)
        return check_wrong(c, p->at, "%s cannot be an updateable_float: pass its value as a float",
                           name);
    if (p->many && p != &function->inputs[function->input_count - 1])
        check_wrong(c, p->at, "input %s is not the last one, so it cannot have `...`", name);
    else if (p->initial && output)
        check_wrong(c, p->at, "output %s cannot have a default", name);
    else if (p->many && p->initial)
        check_wrong(c, p->at, "input %s cannot have both `...` and a default", name);
    return p->checked;
}

static void check_parameters(struct check *c, const struct script_function *function,
                             struct tree_parameter *parameters, size_t count, struct scope *names)
{
    bool output = parameters == function->outputs;
    for (size_t i = 0; i < count; i++) {
        struct tree_parameter *p = &parameters[i];
        if (scope_find_here(names, p->name).kind != MEANING_NONE)
            check_wrong(c, p->at, "duplicate parameter name %s in function %s",
                        check_text(c, p->name), check_text(c, function->name));
        scope_add(names, p->name, (struct meaning){.kind = MEANING_TYPE});
        p->checked = parameter_type(c, p);
        p->checked = check_parameter_kind(c, function, p, output);
    }
}

static bool takes_many(const struct script_function *function)
{
    return function->input_count > 0 && function->inputs[function->input_count - 1].many;
}

static void check_defaults(struct check *c, const struct script_function *function)
{
    const struct tree_parameter *earlier = NULL;
    for (size_t i = 0; i < function->input_count; i++) {
        const struct tree_parameter *p = &function->inputs[i];
        if (p->initial)
            check_literal(c, p->initial, p->checked, "default", p->name);
        else if (earlier && !p->many)
            check_wrong(c, p->at, "input %s needs a default, since %s before it has one",
                        check_text(c, p->name), check_text(c, earlier->name));
        if (p->initial)
            earlier = p;
    }
    if (earlier && takes_many(function) && !function->builtin)
        check_wrong(c, earlier->at, "a function with `...` cannot have defaults");
}

/* ---- type variables ---- */

static void open_generics(struct check *c, const struct script_function *function)
{
    size_t count = function->type_variable_count;
    bool leaf = function->kind == FUNCTION_LEAF;
    if (count > 0 && !leaf)
        check_wrong(c, function->at, "%s cannot have type variables: only leaf functions can",
                    kind_name(function));
    else if (count > CHECK_GENERICS)
        check_wrong(c, function->at, "a function has at most %d type variables", CHECK_GENERICS);
    c->generic_count = count < CHECK_GENERICS ? count : CHECK_GENERICS;
    c->generics = arena_new(c->arena, c->generic_count, sizeof *c->generics);
    for (size_t i = 0; i < c->generic_count; i++)
        c->generics[i] = type_variable(c->types, function->type_variables[i], i);
}

/* ---- overloads ---- */

/* True if nothing but the types of its inputs can choose the function. */
static bool is_concrete(const struct script_function *function)
{
    for (size_t i = 0; i < function->input_count; i++) {
        const struct tree_parameter *p = &function->inputs[i];
        const struct type *type = p->checked;
        while (type->kind == TYPE_ARRAY || type->kind == TYPE_BAG)
            type = type->member;
        if (p->many || p->initial || type->kind == TYPE_UNION || type->kind == TYPE_VARIABLE)
            return false;
    }
    return true;
}

/* True if some call could mean both. */
static bool is_ambiguous(const struct script_function *a, const struct script_function *b)
{
    if (a->input_count != b->input_count)
        return false;
    for (size_t i = 0; i < a->input_count; i++) {
        const struct type *one = a->inputs[i].checked, *other = b->inputs[i].checked;
        if (one->kind == TYPE_WRONG || other->kind == TYPE_WRONG)
            return false; /* it was reported */
        if (!type_fits(one, other) && !type_fits(other, one))
            return false;
    }
    return true;
}

static bool has_checkpoint(const struct script_function *function)
{
    return annotation_find(&function->annotations, "checkpoint");
}

/* True if a function can have the name of an earlier one. */
static bool is_overload(const struct script_function *function,
                        const struct script_function *earlier)
{
    return function->output_count == earlier->output_count && is_concrete(function) &&
           is_concrete(earlier) && !is_ambiguous(function, earlier) && !has_checkpoint(function) &&
           !has_checkpoint(earlier);
}

/* Reports why it cannot. */
static void wrong_overload(struct check *c, const struct script_function *function,
                           const struct script_function *earlier)
{
    const char *name = check_text(c, function->name),
               *place = earlier->builtin ? " in the library" : check_place(c, "", earlier->at);
    bool concrete = is_concrete(function);
    if (function->output_count != earlier->output_count)
        check_wrong(c, function->at,
                    "overloads of %s must have the same number of outputs: this one has %zu, but "
                    "the one%s has %zu",
                    name, function->output_count, place, earlier->output_count);
    else if (!concrete || !is_concrete(earlier))
        check_wrong(c, function->at,
                    "%s cannot be overloaded, since the one%s has a default, `...`, a union or a "
                    "type variable: choose another name",
                    name, concrete ? place : " here");
    else if (is_ambiguous(function, earlier))
        check_wrong(c, function->at,
                    "overloads of %s are ambiguous: a call could mean this one and the one%s", name,
                    place);
    else
        check_wrong(c, function->at, "%s cannot be overloaded, since it has @checkpoint", name);
}

/* Adds a function to the others of its name, if there are any. */
static void add_overload(struct check *c, struct script_function *function,
                         struct script_function *last)
{
    for (int count = 1;; count++, last = last->overload) {
        bool library = function->builtin && last->builtin; /* it knows what it does */
        if (!library && !is_overload(function, last)) {
            wrong_overload(c, function, last);
            return;
        }
        if (count == OVERLOAD_LIMIT) {
            check_wrong(c, function->at, "%s has more than %d overloads",
                        check_text(c, function->name), OVERLOAD_LIMIT);
            return;
        }
        if (!last->overload)
            break;
    }
    last->overload = function;
}

static void check_main(struct check *c, struct script_function *function)
{
    if (function->kind != FUNCTION_COMPOSITE)
        check_wrong(c, function->at, "main cannot be %s: give it a body in { }",
                    kind_name(function));
    else if (function->input_count + function->output_count > 0)
        check_wrong(c, function->at, "main has neither inputs nor outputs");
    else if (c->checked->main)
        check_wrong(c, function->at, "main has already been defined%s",
                    check_place(c, "", c->checked->main->at));
    else
        c->checked->main = function;
}

static void register_function(struct check *c, struct script_function *function)
{
    struct checked *checked = c->checked;
    struct meaning before = scope_find_here(c->outermost, function->name);
    checked->functions = memory_grow(checked->functions, &checked->function_capacity,
                                     checked->function_count + 1, sizeof(struct script_function *));
    checked->functions[checked->function_count++] = function;
    if (slice_is(function->name, "main"))
        check_main(c, function);
    else if (before.kind == MEANING_FUNCTION)
        add_overload(c, function, before.function);
    if (before.kind != MEANING_FUNCTION && !check_taken(c, function->at, function->name))
        scope_add(
            c->outermost, function->name,
            (struct meaning){.kind = MEANING_FUNCTION, .function = function, .at = function->at});
}

/* ---- templates of leaf functions ---- */

static bool in_name(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (byte >= '0' && byte <= '9');
}

/* The name in <<name>> at this place of a template; empty if it is something else. */
static struct slice marker_at(struct slice text, size_t at)
{
    size_t end = at + 2;
    if (end > text.length || memcmp(text.text + at, "<<", 2) != 0)
        return (struct slice){0};
    while (end < text.length && in_name(text.text[end]))
        end++;
    if (end + 2 > text.length || memcmp(text.text + end, ">>", 2) != 0)
        return (struct slice){0};
    return (struct slice){text.text + at + 2, end - at - 2};
}

static void check_template(struct check *c, const struct script_function *function,
                           const struct scope *names)
{
    struct slice text = function->template->text;
    for (size_t i = 0; i < text.length; i++) {
        struct slice name = marker_at(text, i);
        if (text.text[i] == '\\') {
            i++; /* the next byte stands for itself */
        } else if (name.length > 0 && scope_find_here(names, name).kind == MEANING_NONE) {
            const char *nearest = scope_nearest(names, name, MEANING_TYPE);
            check_wrong(c, function->template->at,
                        "<<%s>> in the template is no parameter of function %s%s",
                        check_text(c, name), check_text(c, function->name),
                        nearest ? arena_printf(c->arena, ": did you mean '%s'?", nearest) : "");
            return;
        }
    }
}

/* ---- app functions ---- */

static void check_app_outputs(struct check *c, const struct script_function *function)
{
    for (size_t i = 0; i < function->output_count; i++) {
        const struct tree_parameter *p = &function->outputs[i];
        enum type_kind kind = type_base(p->checked)->kind;
        if (kind != TYPE_FILE && kind != TYPE_URL && kind != TYPE_VOID && kind != TYPE_WRONG)
            check_wrong(c, p->at, "the outputs of an app function are files or void, but %s is %s",
                        check_text(c, p->name), check_type_text(c, p->checked));
    }
}

/* True for values that can be words of a command: scalars, files, arrays of such. */
static bool is_word(const struct type *type)
{
    type = type_base(type);
    for (; type->kind == TYPE_ARRAY; type = type_base(type->member))
        if (!type_is(type->key, TYPE_INT))
            return false;
    return check_is_key(type) || type->kind == TYPE_FILE || type->kind == TYPE_URL;
}

static void check_word(struct check *c, struct expression *word, bool first)
{
    if (word->kind == EXPRESSION_NAME && scope_find(c->scope, word->text).kind == MEANING_NONE) {
        const char *text = check_text(c, word->text);
        check_wrong(c, word->at,
                    "variable %s is not declared: put a word of the command in quotes: \"%s\"",
                    text, text);
        return;
    }
    const struct type *type = check_settled(c, word);
    if (type->kind == TYPE_WRONG)
        return;
    if (first && !type_is(type, TYPE_STRING))
        check_wrong(c, word->at,
                    "the first word of a command is the program, a string, but this is %s",
                    check_type_text(c, type));
    else if (!is_word(type))
        check_wrong(c, word->at,
                    "a word of a command is a string, int, float, boolean, file or an array of "
                    "such with int keys, but this is %s",
                    check_type_text(c, type));
}

static void check_command(struct check *c, const struct script_function *function)
{
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    for (size_t i = 0; i < function->word_count; i++)
        check_word(c, function->words[i], i == 0);
    for (size_t i = 0; i < REDIRECTIONS; i++) {
        struct expression *file = function->redirections[i];
        const struct type *type = file ? check_settled(c, file) : NULL;
        if (type && type->kind != TYPE_WRONG && !type_is(type, TYPE_FILE))
            check_wrong(c, file->at, "@%s needs a file, but this is %s", names[i],
                        check_type_text(c, type));
    }
}

/* ---- all of it ---- */

void check_signature(struct check *c, struct script_function *function, bool builtin)
{
    struct scope *names = scope_create(c->arena, NULL);
    function->builtin = builtin;
    open_generics(c, function);
    check_parameters(c, function, function->outputs, function->output_count, names);
    check_parameters(c, function, function->inputs, function->input_count, names);
    c->generic_count = 0;
    check_defaults(c, function);
    check_function_annotations(c, function);
    if (function->kind == FUNCTION_APP)
        check_app_outputs(c, function);
    if (function->template)
        check_template(c, function, names);
    register_function(c, function);
}

static void declare_parameters(struct check *c, struct tree_parameter *parameters, size_t count,
                               enum variable_kind kind)
{
    for (size_t i = 0; i < count; i++) {
        struct tree_parameter *p = &parameters[i];
        struct meaning before = scope_find_here(c->scope, p->name);
        p->variable = before.kind == MEANING_NONE
                          ? check_declare(c, p->at, p->name, kind, p->checked)
                          : before.variable; /* a duplicate, which was reported */
    }
}

void check_function(struct check *c, struct script_function *function)
{
    if (function->kind == FUNCTION_LEAF)
        return;
    c->function = function;
    c->scope = c->base = scope_create(c->arena, c->top);
    declare_parameters(c, function->outputs, function->output_count, VARIABLE_OUTPUT);
    declare_parameters(c, function->inputs, function->input_count, VARIABLE_INPUT);
    if (function->kind == FUNCTION_APP)
        check_command(c, function);
    else
        check_block(c, function->body);
    c->function = NULL;
    c->scope = c->base = c->top;
}
