/* check_type.c - types that the script defines, and types as they are written. */
#include "swift/check_private.h"

/* A type of the script. Aliases and subtypes are read when they are first named. */
struct type_definition {
    const struct item *item;
    struct type *structure; /* of ITEM_STRUCT */
    enum { UNREAD, READING, READ } state;
    unsigned nesting; /* of structs in each other */
    size_t width;     /* fields, with those of its fields */
};

enum { WIDTH_LIMIT = 10000 };

/* ---- types as they are written ---- */

const struct type *check_array(struct check *c, uint32_t at, const struct type *key,
                               const struct type *member)
{
    if (member->depth >= TYPE_DEPTH)
        return check_wrong(c, at, "types are nested too deeply here: at most %d levels",
                           TYPE_DEPTH);
    return type_array(c->types, key, member);
}

const struct type *check_bag(struct check *c, uint32_t at, const struct type *member)
{
    if (member->depth >= TYPE_DEPTH)
        return check_wrong(c, at, "types are nested too deeply here: at most %d levels",
                           TYPE_DEPTH);
    return type_bag(c->types, member);
}

bool check_is_key(const struct type *type)
{
    switch (type_base(type)->kind) {
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_STRING:
    case TYPE_BOOLEAN:
    case TYPE_NUMBER:
    case TYPE_EMPTY:
    case TYPE_VARIABLE:
    case TYPE_WRONG: return true;
    default: return false;
    }
}

const struct type *check_wrong_key(struct check *c, uint32_t at, const struct type *type)
{
    return check_wrong(c, at, "the keys of an array are int, string, float or boolean, not %s",
                       check_type_text(c, type));
}

static const struct type *check_key(struct check *c, const struct tree_dimension *dimension)
{
    if (!dimension->key)
        return check_simple(c, TYPE_INT);
    const struct type *key = check_type(c, dimension->key);
    return check_is_key(key) ? key : check_wrong_key(c, dimension->at, key);
}

const struct type *check_declared_type(struct check *c, const struct type *type,
                                       const struct tree_dimension *dimensions, size_t count)
{
    if (count > 0 && type_is(type, TYPE_UPDATEABLE))
        return check_wrong(c, dimensions[0].at, "an array cannot hold updateable_float");
    for (size_t i = count; i-- > 0;) {
        const struct type *key = check_key(c, &dimensions[i]);
        if (key->kind == TYPE_WRONG || type->kind == TYPE_WRONG)
            return check_simple(c, TYPE_WRONG);
        type = check_array(c, dimensions[i].at, key, type);
    }
    return type;
}

static const struct type *check_written_bag(struct check *c, const struct tree_type *written)
{
    if (!written->parameter)
        return check_wrong(c, written->at,
                           "the type of the members is missing: write bag<int>, for instance");
    const struct type *member = check_type(c, written->parameter);
    if (type_is(member, TYPE_UPDATEABLE))
        return check_wrong(c, written->at, "a bag cannot hold updateable_float");
    return member->kind == TYPE_WRONG ? member : check_bag(c, written->at, member);
}

static const struct type *read_definition(struct check *c, struct type_definition *definition);

static const struct type *check_named(struct check *c, const struct tree_type *written)
{
    for (size_t i = 0; i < c->generic_count; i++)
        if (slice_equal(c->generics[i]->name, written->name))
            return c->generics[i];
    struct meaning meaning = scope_find_here(c->outermost, written->name);
    if (meaning.kind == MEANING_TYPE && !meaning.type)
        return read_definition(c, &c->definitions[map_find(&c->definition_of, written->name)]);
    if (meaning.kind == MEANING_TYPE)
        return meaning.type;
    check_unknown_type(c, written->at, written->name);
    return check_simple(c, TYPE_WRONG);
}

const struct type *check_type(struct check *c, const struct tree_type *written)
{
    const struct type *type;
    if (slice_is(written->name, "bag"))
        type = check_written_bag(c, written);
    else if (written->parameter)
        type = check_wrong(c, written->at, "only bag takes a type in <>, not %s",
                           check_text(c, written->name));
    else
        type = check_named(c, written);
    return check_declared_type(c, type, written->dimensions, written->dimension_count);
}

/* ---- subtypes and aliases ---- */

static const struct type *defined_type(struct check *c, const struct item *item)
{
    const struct type *type = check_simple(c, TYPE_FILE);
    if (item->type)
        type = check_type(c, item->type);
    else
        check_warn(c, item->at, "`type %s;` is an old spelling: write `type %s file;`",
                   check_text(c, item->name), check_text(c, item->name));
    if (type->kind == TYPE_WRONG || item->kind == ITEM_ALIAS)
        return type;
    if (type_is(type, TYPE_UPDATEABLE))
        return check_wrong(c, item->at, "updateable_float cannot have subtypes");
    if (type->depth >= TYPE_DEPTH)
        return check_wrong(c, item->at, "types are nested too deeply here: at most %d levels",
                           TYPE_DEPTH);
    return type_subtype(c->types, item->name, type, item->at);
}

static const struct type *read_definition(struct check *c, struct type_definition *definition)
{
    const struct item *item = definition->item;
    const struct type *type;
    if (definition->state == READING)
        return check_wrong(c, item->at, "type %s is defined by itself", check_text(c, item->name));
    if (c->type_nesting >= TYPE_DEPTH)
        return check_wrong(c, item->at, "types are nested too deeply here: at most %d levels",
                           TYPE_DEPTH);
    definition->state = READING;
    c->type_nesting++;
    type = defined_type(c, item);
    c->type_nesting--;
    definition->state = READ;
    scope_add(c->outermost, item->name,
              (struct meaning){.kind = MEANING_TYPE, .type = type, .at = item->at});
    return type;
}

/* ---- structs ---- */

static const struct type *check_field_type(struct check *c, const struct tree_field *field)
{
    const struct type *type = check_declared_type(c, check_type(c, field->type), field->dimensions,
                                                  field->dimension_count);
    const struct type *innermost = type_base(type);
    while (innermost->kind == TYPE_ARRAY)
        innermost = type_base(innermost->member);
    if (innermost->kind == TYPE_BAG || innermost->kind == TYPE_UPDATEABLE)
        return check_wrong(c, field->at, "a field of a struct cannot be %s",
                           innermost->kind == TYPE_BAG ? "a bag" : "an updateable_float");
    return type;
}

static void read_fields(struct check *c, struct type_definition *definition)
{
    const struct item *item = definition->item;
    struct type *type = definition->structure;
    struct scope *names = scope_create(c->arena, NULL);
    type->fields = arena_new(c->arena, item->field_count, sizeof *type->fields);
    for (size_t i = 0; i < item->field_count; i++) {
        const struct tree_field *field = &item->fields[i];
        struct meaning before = scope_find_here(names, field->name);
        if (before.kind != MEANING_NONE)
            check_wrong(c, field->at, "field %s is already in this struct%s",
                        check_text(c, field->name), check_place(c, "defined", before.at));
        scope_add(names, field->name, (struct meaning){.kind = MEANING_TYPE, .at = field->at});
        type->fields[i] = (struct type_field){field->name, check_field_type(c, field), field->at};
    }
    type->field_count = item->field_count;
}

static struct type_definition *definition_of(const struct check *c, const struct type *type)
{
    int64_t number = map_find(&c->definition_of, type->name);
    if (number == MAP_NONE || c->definitions[number].structure != type)
        return NULL;
    return &c->definitions[number];
}

static void measure_struct(struct check *c, struct type_definition *definition);

/* Adds what a field needs that is not an array. */
static void measure_field(struct check *c, struct type_definition *definition,
                          struct type_field *field)
{
    const struct type *type = type_base(field->type);
    struct type_definition *inner = type->kind == TYPE_STRUCT ? definition_of(c, type) : NULL;
    definition->width++;
    if (!inner)
        return;
    if (inner->state == READING) {
        field->type = check_wrong(
            c, field->at, "struct %s would contain itself: only an array of it can be its field",
            check_text(c, type->name));
        return;
    }
    measure_struct(c, inner);
    if (definition->nesting <= inner->nesting)
        definition->nesting = inner->nesting + 1;
    definition->width += inner->width;
}

/* A struct contains others, but neither itself nor endlessly many. */
static void measure_struct(struct check *c, struct type_definition *definition)
{
    struct type *type = definition->structure;
    if (definition->state == READ)
        return;
    if (c->type_nesting >= TYPE_DEPTH) {
        definition->nesting = TYPE_DEPTH;
        return;
    }
    definition->state = READING;
    c->type_nesting++;
    for (size_t i = 0; i < type->field_count && definition->width <= WIDTH_LIMIT; i++)
        measure_field(c, definition, &type->fields[i]);
    c->type_nesting--;
    definition->state = READ;
    if (definition->width > WIDTH_LIMIT || definition->nesting >= TYPE_DEPTH) {
        check_wrong(c, type->at,
                    "struct %s is too large: at most %d fields, with those of its fields, and %d "
                    "structs in each other",
                    check_text(c, type->name), WIDTH_LIMIT, TYPE_DEPTH);
        definition->width = definition->nesting = 0;
    }
}

/* ---- all of them ---- */

static void register_type(struct check *c, const struct item *item)
{
    if (slice_is(item->name, "bag") || check_taken(c, item->at, item->name)) {
        if (slice_is(item->name, "bag"))
            check_wrong(c, item->at, "bag is already a type: choose another name");
        return;
    }
    struct type_definition *definition = &c->definitions[c->definition_count];
    *definition = (struct type_definition){.item = item};
    if (item->kind == ITEM_STRUCT)
        definition->structure = type_struct(c->types, item->name, item->at);
    scope_add(
        c->outermost, item->name,
        (struct meaning){.kind = MEANING_TYPE, .type = definition->structure, .at = item->at});
    map_add(&c->definition_of, item->name, (uint32_t)c->definition_count++);
}

static bool is_type(const struct item *item)
{
    return item->kind == ITEM_STRUCT || item->kind == ITEM_SUBTYPE || item->kind == ITEM_ALIAS;
}

static void register_types(struct check *c)
{
    const struct script *script = c->checked->script;
    size_t count = 0;
    for (size_t m = 0; m < script->module_count; m++)
        for (size_t i = 0; i < script->modules[m]->item_count; i++)
            count += is_type(&script->modules[m]->items[i]);
    c->definitions = arena_new(c->arena, count, sizeof *c->definitions);
    for (size_t m = 0; m < script->module_count; m++)
        for (size_t i = 0; i < script->modules[m]->item_count; i++)
            if (is_type(&script->modules[m]->items[i]))
                register_type(c, &script->modules[m]->items[i]);
}

void check_types(struct check *c)
{
    register_types(c);
    for (size_t i = 0; i < c->definition_count; i++) {
        struct type_definition *definition = &c->definitions[i];
        if (definition->structure)
            read_fields(c, definition);
        else if (definition->state == UNREAD)
            read_definition(c, definition);
    }
    for (size_t i = 0; i < c->definition_count; i++)
        if (c->definitions[i].structure)
            measure_struct(c, &c->definitions[i]);
}
