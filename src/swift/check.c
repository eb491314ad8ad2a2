/*
 * check.c - the order in which a script is checked.
 *
 * Functions and types may be used before they are defined, so all of them are read first, then the
 * statements of the top level, whose variables all functions see, then the bodies of functions.
 */
#include "swift/check_private.h"

/* ---- messages ---- */

const struct type *check_wrong(struct check *c, uint32_t at, const char *format, ...)
{
    struct str text = {0};
    va_list arguments;
    va_start(arguments, format);
    str_vprintf(&text, format, arguments);
    va_end(arguments);
    source_mistake(c->sources, &c->report->mistakes, at, "%s", str_text(&text));
    str_free(&text);
    return check_simple(c, TYPE_WRONG);
}

void check_warn(struct check *c, uint32_t at, const char *format, ...)
{
    struct str text = {0};
    va_list arguments;
    if (c->module && c->module->builtin)
        return;
    va_start(arguments, format);
    str_vprintf(&text, format, arguments);
    va_end(arguments);
    source_mistake(c->sources, &c->report->warnings, at, "%s", str_text(&text));
    str_free(&text);
}

const char *check_text(struct check *c, struct slice name)
{
    enum { LONGEST = 100 };
    if (name.length <= LONGEST)
        return arena_copy(c->arena, name.text, name.length);
    return arena_printf(c->arena, "%.*s...", LONGEST, name.text);
}

const char *check_type_text(struct check *c, const struct type *type)
{
    return type_text(c->types, type);
}

const char *check_place(struct check *c, const char *word, uint32_t at)
{
    if (at == 0)
        return "";
    struct str text = {0};
    str_printf(&text, word[0] ? " (%s at " : "%s at ", word);
    source_add_place(&text, c->sources, at);
    str_add(&text, word[0] ? ")" : "");
    const char *place = arena_copy(c->arena, text.text, text.length);
    str_free(&text);
    return place;
}

const struct type *check_simple(const struct check *c, enum type_kind kind)
{
    return type_simple(c->types, kind);
}

const struct annotation *annotation_find(const struct annotations *annotations, const char *name)
{
    for (size_t i = 0; i < annotations->count; i++)
        if (slice_is(annotations->items[i].name, name))
            return &annotations->items[i];
    return NULL;
}

/* ---- what is there before any script ---- */

static void add_type(struct check *c, const struct type *type)
{
    scope_add(c->outermost, type->name, (struct meaning){.kind = MEANING_TYPE, .type = type});
}

static const struct type *add_subtype(struct check *c, const char *name, enum type_kind base)
{
    struct type *type = type_subtype(c->types, slice_of(name), check_simple(c, base), 0);
    add_type(c, type);
    return type;
}

static void add_constant(struct check *c, const char *name, const struct type *type, int64_t whole)
{
    struct expression *value = arena_new(c->arena, 1, sizeof *value);
    *value = (struct expression){
        .kind = EXPRESSION_INT, .whole = whole, .type = check_simple(c, TYPE_INT)};
    struct variable *variable = arena_new(c->arena, 1, sizeof *variable);
    *variable = (struct variable){.name = slice_of(name),
                                  .kind = VARIABLE_CONSTANT,
                                  .type = type,
                                  .value = value,
                                  .scope = c->outermost};
    scope_add(c->outermost, variable->name,
              (struct meaning){.kind = MEANING_VARIABLE, .variable = variable});
}

/* location { int rank; LocationStrictness strictness; LocationAccuracy accuracy; } */
static void add_location(struct check *c)
{
    const struct type *accuracy = add_subtype(c, "LocationAccuracy", TYPE_INT);
    c->strictness = add_subtype(c, "LocationStrictness", TYPE_INT);
    struct type *location = type_struct(c->types, slice_of("location"), 0);
    location->field_count = 3;
    location->fields = arena_new(c->arena, 3, sizeof *location->fields);
    location->fields[0] = (struct type_field){slice_of("rank"), check_simple(c, TYPE_INT), 0};
    location->fields[1] = (struct type_field){slice_of("strictness"), c->strictness, 0};
    location->fields[2] = (struct type_field){slice_of("accuracy"), accuracy, 0};
    c->location = location;
    add_type(c, location);
    add_constant(c, "HARD", c->strictness, 0);
    add_constant(c, "SOFT", c->strictness, 1);
    add_constant(c, "RANK", accuracy, 0);
    add_constant(c, "NODE", accuracy, 1);
}

static void add_predefined(struct check *c)
{
    static const enum type_kind kinds[] = {TYPE_INT,     TYPE_FLOAT, TYPE_STRING,
                                           TYPE_BOOLEAN, TYPE_VOID,  TYPE_BLOB,
                                           TYPE_FILE,    TYPE_URL,   TYPE_UPDATEABLE};
    static const char *const targets[] = {"CONTROL", "WORKER", "LEAF"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        add_type(c, check_simple(c, kinds[i]));
    add_subtype(c, "external", TYPE_VOID);
    add_location(c);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        scope_add(c->targets, slice_of(targets[i]), (struct meaning){.kind = MEANING_TYPE});
}

/* ---- the order ---- */

static void check_item(struct check *c, struct item *item)
{
    switch (item->kind) {
    case ITEM_FUNCTION: check_signature(c, item->function, c->module->builtin); break;
    case ITEM_CONSTANT: check_constant(c, item); break;
    case ITEM_PRAGMA: check_pragma(c, item); break;
    case ITEM_STATEMENT: check_statement(c, item->statement); break;
    default: break;
    }
}

static void check_items(struct check *c, enum item_kind kind)
{
    const struct script *script = c->checked->script;
    for (size_t m = 0; m < script->module_count; m++) {
        c->module = script->modules[m];
        for (size_t i = 0; i < c->module->item_count; i++)
            if (c->module->items[i].kind == kind)
                check_item(c, &c->module->items[i]);
    }
}

static void check_functions(struct check *c)
{
    const struct script *script = c->checked->script;
    for (size_t m = 0; m < script->module_count; m++) {
        c->module = script->modules[m];
        for (size_t i = 0; i < c->module->item_count; i++)
            if (c->module->items[i].kind == ITEM_FUNCTION)
                check_function(c, c->module->items[i].function);
    }
}

static void check_all(struct check *c)
{
    add_predefined(c);
    check_types(c);
    check_items(c, ITEM_PRAGMA);
    check_items(c, ITEM_CONSTANT);
    check_items(c, ITEM_FUNCTION);
    check_items(c, ITEM_STATEMENT);
    check_functions(c);
}

void check(struct checked *checked, struct script *script, const struct sources *sources,
           const struct syntax_options *options, struct arena *arena, struct syntax_report *report)
{
    (void)options; /* none of them changes what is right */
    *checked = (struct checked){
        .script = script, .types = types_create(arena), .outermost = scope_create(arena, NULL)};
    struct check c = {.checked = checked,
                      .types = checked->types,
                      .sources = sources,
                      .arena = arena,
                      .report = report,
                      .outermost = checked->outermost,
                      .top = scope_create(arena, checked->outermost),
                      .targets = scope_create(arena, NULL)};
    c.scope = c.base = c.top;
    check_all(&c);
    check_names_free(&c);
    map_free(&c.definition_of);
}
