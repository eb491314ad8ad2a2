/* check_annotation.c - annotations of definitions, loops and calls, and pragmas. */
#include "swift/check_private.h"

#include <ctype.h>

/* ---- annotations of definitions and loops ---- */

enum place {
    ON_COMPOSITE = 1,
    ON_APP = 2,
    ON_LEAF = 4,
    ON_FOREACH = 8,
    ON_FOR = 16,
    ON_FUNCTION = ON_COMPOSITE | ON_APP | ON_LEAF,
};

enum value_kind { NO_VALUE, A_NAME, A_WHOLE };

static const struct known {
    const char *name;
    unsigned places;
    enum value_kind value;
    bool repeatable;
} known[] = {
    {"pure", ON_FUNCTION, NO_VALUE, false},
    {"sideeffectfree", ON_APP | ON_LEAF, NO_VALUE, false},
    {"deterministic", ON_APP | ON_LEAF, NO_VALUE, false},
    {"commutative", ON_LEAF, NO_VALUE, false},
    {"minmax", ON_LEAF, NO_VALUE, false},
    {"copy", ON_LEAF, NO_VALUE, false},
    {"assertion", ON_LEAF, NO_VALUE, false},
    {"deprecated", ON_FUNCTION, NO_VALUE, false},
    {"par", ON_LEAF, NO_VALUE, false},
    {"checkpoint", ON_COMPOSITE | ON_LEAF, NO_VALUE, false},
    {"dispatch", ON_APP | ON_LEAF, A_NAME, false},
    {"suppress", ON_FUNCTION, A_NAME, true},
    {"builtin_op", ON_LEAF, A_NAME, false},
    {"implements", ON_LEAF, A_NAME, false},
    {"stc_intrinsic", ON_LEAF, A_NAME, false},
    {"sync", ON_COMPOSITE | ON_FOREACH, NO_VALUE, false},
    {"async", ON_FOREACH, NO_VALUE, false},
    {"splitdegree", ON_FOREACH, A_WHOLE, false},
    {"leafdegree", ON_FOREACH, A_WHOLE, false},
    {"nosplit", ON_FOREACH, NO_VALUE, false},
    {"unroll", ON_FOREACH, A_WHOLE, false},
    {"waiton", ON_FOR, A_NAME, true},
    {"waitonall", ON_FOR, NO_VALUE, false},
};
enum { KNOWN = sizeof known / sizeof *known };

static const struct known *find_known(struct slice name, unsigned place)
{
    for (size_t i = 0; i < KNOWN; i++)
        if ((known[i].places & place) && slice_is(name, known[i].name))
            return &known[i];
    return NULL;
}

static void unknown_annotation(struct check *c, const struct annotation *a, unsigned place,
                               const char *where)
{
    const char *names[KNOWN + 1];
    size_t count = 0;
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].places & place)
            names[count++] = known[i].name;
    names[count] = NULL;
    const char *name = check_text(c, a->name), *nearest = str_nearest(name, names);
    check_wrong(c, a->at, "annotation @%s is not known for %s%s", name, where,
                nearest ? arena_printf(c->arena, ": did you mean '@%s'?", nearest) : "");
}

static bool is_repeated(const struct annotations *annotations, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (slice_equal(annotations->items[i].name, annotations->items[index].name))
            return true;
    return false;
}

static void check_annotation_value(struct check *c, const struct annotation *a,
                                   enum value_kind wanted)
{
    const char *name = check_text(c, a->name);
    if (wanted == NO_VALUE && a->value)
        check_wrong(c, a->at, "annotation @%s takes no value", name);
    else if (wanted == A_NAME && (!a->value || a->value->kind != EXPRESSION_NAME))
        check_wrong(c, a->at, "annotation @%s needs a name, as in @%s=NAME", name, name);
    else if (wanted == A_WHOLE && (!a->value || a->value->kind != EXPRESSION_INT))
        check_wrong(c, a->at, "annotation @%s needs a number, as in @%s=8", name, name);
    else if (wanted == A_WHOLE && a->value->whole < 1)
        check_wrong(c, a->at, "annotation @%s needs a number of at least 1", name);
}

/* Checks the annotations themselves; what they mean together is up to the caller. */
static void check_annotations(struct check *c, const struct annotations *annotations,
                              unsigned place, const char *where)
{
    for (size_t i = 0; i < annotations->count; i++) {
        const struct annotation *a = &annotations->items[i];
        const struct known *row = find_known(a->name, place);
        if (!row) {
            unknown_annotation(c, a, place, where);
        } else if (!row->repeatable && is_repeated(annotations, i)) {
            check_wrong(c, a->at, "annotation @%s is given twice", row->name);
            return;
        } else {
            check_annotation_value(c, a, row->value);
        }
    }
}

static const struct expression *value_of(const struct annotation *a)
{
    return a && a->value && a->value->kind == EXPRESSION_NAME ? a->value : NULL;
}

/* ---- where functions run ---- */

/* Names of work types do not depend on case; this is the one that counts. */
static struct slice upper_case(struct check *c, struct slice name)
{
    char *text = arena_copy(c->arena, name.text, name.length);
    for (size_t i = 0; i < name.length; i++)
        text[i] = (char)toupper((unsigned char)text[i]);
    return (struct slice){text, name.length};
}

static void check_dispatch(struct check *c, struct annotation *a)
{
    struct slice name = upper_case(c, a->value->text);
    if (scope_find_here(c->targets, name).kind == MEANING_NONE) {
        const char *nearest = scope_nearest(c->targets, name, MEANING_TYPE);
        check_wrong(c, a->value->at, "@dispatch=%s is not known%s", check_text(c, a->value->text),
                    nearest ? arena_printf(c->arena, ": did you mean '%s'?", nearest)
                            : ": it is CONTROL, WORKER, or defined by `pragma worktypedef`");
    }
    a->value->text = slice_is(name, "LEAF") ? slice_of("WORKER") : name;
}

void check_function_annotations(struct check *c, struct script_function *function)
{
    static const struct {
        unsigned place;
        const char *name;
    } kinds[] = {[FUNCTION_COMPOSITE] = {ON_COMPOSITE, "a composite function"},
                 [FUNCTION_APP] = {ON_APP, "an app function"},
                 [FUNCTION_LEAF] = {ON_LEAF, "a leaf function"}};
    const struct annotations *annotations = &function->annotations;
    check_annotations(c, annotations, kinds[function->kind].place, kinds[function->kind].name);
    const struct annotation *par = annotation_find(annotations, "par");
    for (size_t i = 0; i < annotations->count; i++) {
        struct annotation *a = &annotations->items[i];
        if (!value_of(a))
            continue;
        if (slice_is(a->name, "suppress") && !slice_is(a->value->text, "unused_output"))
            check_wrong(c, a->value->at, "@suppress=%s is not known: did you mean 'unused_output'?",
                        check_text(c, a->value->text));
        if (!slice_is(a->name, "dispatch") || function->kind == FUNCTION_COMPOSITE)
            continue;
        check_dispatch(c, a);
        if (par && slice_is(a->value->text, "CONTROL"))
            check_wrong(c, par->at, "a function with @par needs @dispatch=WORKER");
    }
}

/* True if calls of it are tasks of workers, which can be sent to a place. */
static bool is_task(const struct script_function *function)
{
    const struct expression *dispatch =
        value_of(annotation_find(&function->annotations, "dispatch"));
    if (function->kind == FUNCTION_LEAF && dispatch)
        return !slice_is(dispatch->text, "CONTROL");
    return function->kind == FUNCTION_APP || annotation_find(&function->annotations, "par");
}

/* ---- loops ---- */

static bool is_loop_variable(const struct statement *s, struct slice name)
{
    for (size_t i = 0; i < s->loop_variable_count; i++)
        if (slice_equal(s->loop_variables[i].name, name))
            return true;
    return false;
}

void check_loop_annotations(struct check *c, const struct statement *s)
{
    const struct annotations *annotations = &s->annotations;
    bool foreach = s->kind == STATEMENT_FOREACH;
    check_annotations(c, annotations, foreach ? ON_FOREACH : ON_FOR,
                      foreach ? "a foreach loop" : "a for loop");
    const struct annotation *async = annotation_find(annotations, "async");
    if (foreach && async && annotation_find(annotations, "sync"))
        check_wrong(c, async->at, "a loop cannot be both @sync and @async");
    for (size_t i = 0; i < annotations->count; i++) {
        const struct expression *value = value_of(&annotations->items[i]);
        if (!foreach && value && !is_loop_variable(s, value->text))
            check_wrong(c, value->at, "%s is not a variable of this loop",
                        check_text(c, value->text));
    }
}

/* ---- calls ---- */

/*
 * @location=(L, SOFT) is a way to write @soft_location=L, and becomes it. True if it was that, or
 * has a mistake.
 */
static bool check_location_pair(struct check *c, struct annotation *a)
{
    struct expression *pair = a->value;
    if (!slice_is(a->name, "location") || pair->kind != EXPRESSION_TUPLE || pair->count != 2 ||
        pair->items[1]->kind != EXPRESSION_NAME)
        return false;
    const struct type *place = check_settled(c, pair->items[0]);
    const struct type *strictness = check_settled(c, pair->items[1]);
    if (place->kind == TYPE_WRONG || strictness->kind == TYPE_WRONG)
        return true;
    const struct variable *constant = pair->items[1]->variable;
    if (place != c->location || strictness != c->strictness ||
        constant->kind != VARIABLE_CONSTANT) {
        check_wrong(c, pair->at, "@location needs a location, or a location and HARD or SOFT");
        return true;
    }
    a->value = pair->items[0];
    a->name = slice_of(constant->value->whole > 0 ? "soft_location" : "location");
    return true;
}

static void check_location(struct check *c, const struct annotation *a,
                           const struct script_function *function)
{
    if (!is_task(function))
        check_wrong(c, a->at,
                    "@%s needs a function that runs as a task of a worker, but %s does not%s",
                    check_text(c, a->name), check_text(c, function->name),
                    function->kind == FUNCTION_LEAF ? ": define it with @dispatch=WORKER" : "");
}

/* True if this value can be the value of this annotation. */
static bool check_call_value(struct check *c, struct annotation *a)
{
    const char *name = check_text(c, a->name), *wanted = "location";
    if (!a->value) {
        check_wrong(c, a->at, "annotation @%s needs a value, as in @%s=n f(x)", name, name);
        return false;
    }
    if (check_location_pair(c, a))
        return true;
    const struct type *type = check_settled(c, a->value);
    bool good = type == c->location;
    if (slice_is(a->name, "prio") || slice_is(a->name, "par")) {
        wanted = "int";
        good = type_is(type, TYPE_INT) || (slice_is(a->name, "par") && type_is(type, TYPE_FLOAT));
    }
    if (!good && type->kind != TYPE_WRONG)
        check_wrong(c, a->value->at, "annotation @%s needs type %s, but this has type %s", name,
                    wanted, check_type_text(c, type));
    return true;
}

static void check_call_annotation(struct check *c, const struct expression *e, size_t index)
{
    static const char *const names[] = {"prio", "par", "location", "soft_location", NULL};
    const struct script_function *function = e->call->function;
    struct annotation *a = &e->call->annotations.items[index];
    const char *name = check_text(c, a->name);
    size_t number = 0;
    while (names[number] && !slice_is(a->name, names[number]))
        number++;
    if (!names[number]) {
        const char *nearest = str_nearest(name, names);
        check_wrong(c, a->at, "annotation @%s is not known for a call%s", name,
                    nearest ? arena_printf(c->arena, ": did you mean '@%s'?", nearest) : "");
        return;
    }
    if (is_repeated(&e->call->annotations, index)) {
        check_wrong(c, a->at, "annotation @%s is given twice", name);
        return;
    }
    if (!check_call_value(c, a) || !function)
        return;
    if (number >= 2)
        check_location(c, a, function);
    else if (number == 1 && !annotation_find(&function->annotations, "par"))
        check_wrong(c, a->at, "function %s is not parallel: only one with @par can have it here",
                    check_text(c, function->name));
}

void check_call_annotations(struct check *c, const struct expression *e)
{
    const struct annotations *annotations = &e->call->annotations;
    if (annotations->count > 0 && e->call->constructs && e->call->constructs->kind != TYPE_WRONG) {
        check_wrong(c, annotations->items[0].at,
                    "%s is a type: only calls of functions have "
                    "annotations",
                    check_text(c, e->text));
        return;
    }
    for (size_t i = 0; i < annotations->count; i++)
        check_call_annotation(c, e, i);
    if (annotation_find(annotations, "location") && annotation_find(annotations, "soft_location"))
        check_wrong(c, annotations->items[0].at, "a call has one place: this one has two");
}

/* ---- pragmas ---- */

static void add_target(struct check *c, const struct item *item, struct slice name)
{
    struct slice upper = upper_case(c, name);
    struct meaning before = scope_find_here(c->targets, upper);
    if (before.kind != MEANING_NONE)
        check_wrong(c, item->at, "%s has already been defined%s", check_text(c, name),
                    check_place(c, "", before.at));
    else
        scope_add(c->targets, upper, (struct meaning){.kind = MEANING_TYPE, .at = item->at});
}

/* True if the arguments are a name, then so many strings. */
static bool has_arguments(const struct item *item, size_t strings)
{
    if (item->argument_count != strings + 1 || item->arguments[0]->kind != EXPRESSION_NAME)
        return false;
    for (size_t i = 1; i < item->argument_count; i++)
        if (item->arguments[i]->kind != EXPRESSION_STRING)
            return false;
    return true;
}

void check_pragma(struct check *c, const struct item *item)
{
    static const char *const names[] = {"worktypedef", "appexecdef", NULL};
    if (slice_is(item->name, "worktypedef")) {
        if (has_arguments(item, 0))
            add_target(c, item, item->arguments[0]->text);
        else
            check_wrong(c, item->at, "a work type has a name: write `pragma worktypedef NAME;`");
    } else if (slice_is(item->name, "appexecdef")) {
        if (has_arguments(item, 3))
            add_target(c, item, item->arguments[0]->text);
        else
            check_wrong(c, item->at,
                        "an executor is defined by `pragma appexecdef NAME "
                        "\"package\" \"version\" \"template\";`");
    } else {
        const char *name = check_text(c, item->name), *nearest = str_nearest(name, names);
        check_wrong(c, item->at, "pragma %s is not known%s", name,
                    nearest ? arena_printf(c->arena, ": did you mean '%s'?", nearest) : "");
    }
}
